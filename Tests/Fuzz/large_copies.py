#!/usr/bin/env python3
"""Finds values of 128 bytes and more that are copied for every row: Tests/Fuzz/large_copies.py PROGRAM

The compiler copies a structure that a mutating function lends to one that is not, and a structure that several closures
share. For a painter or an evaluator that costs more than what is done with it. Each task below runs on a few rows under
valgrind, which counts how often each call is made; the calls of memcpy with a constant size come from the disassembly.
PROGRAM must have its symbols. It takes two minutes.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

ROWS = 1000
LEAST_BYTES = 128
MOST_PER_ROW = 0.2

TASKS = """
--list {csv}
--grid {csv}
--stack {csv}
--detail {csv}
--markdown {csv}
--html {csv}
--to=pandoc {csv}
--width=80 {csv}
--width=60 --single-line {csv}
--lookahead=0 --list {csv}
--csv {csv}
--csv {quoted}
--csv {texts}
--csv --lazy-quotes {texts}
--csv --trim {csv}
--csv --null=NA {csv}
--tsv {csv}
--jsonl {csv}
--json {csv}
--csv -c name,weight {csv}
--csv --filter='weight > 500' {csv}
--csv --filter='name =~ /an.*e/i' {csv}
--csv --filter="date >= date '2025-06-01' and month(date) = 7" {csv}
--csv --filter='weight * 2 + length(name) > 900' {csv}
--csv --from=jsonl {jsonl}
--jsonl --from=jsonl {jsonl}
--list --from=jsonl {jsonl}
--jsonl --from=jsonl --flatten {jsonl}
--csv --derive='x = weight * 2 + length(name)' {csv}
--csv --derive='x = upper(name) ++ "-" ++ year(date)' {csv}
--csv --derive="x = case when weight > 10 then 'a' else name end" {csv}
--csv --set="weight = weight * 1.1 where category = 'a'" {csv}
--list --format='weight=.2f' {csv}
--csv --types=weight:number,date:date {csv}
--csv --validate='weight: value > -1000000' --validate='date: is_date(value)' {csv}
--csv --group-by=category --aggregate='n = count(), s = sum(weight), m = mean(weight)' {csv}
--csv --group-by=name --aggregate='n = count(), first(date)' {csv}
--csv --group-by=name --pivot=category --aggregate='s = sum(weight)' {csv}
--csv --sort=date --compute='r = running(weight), d = weight - prior(weight)' {csv}
--csv --sort=-weight {csv}
--list --sort=name:natural,-weight {csv}
--csv --filter='unique(name)' {csv}
--csv --summary {csv}
--csv --join='{side} on id' --quiet {csv}
--csv --diff={side} --id=id --no-exit-status {csv}
--list --section-by=category {csv}
--list --footer=totals {csv}
--list --row-overlay='weight > 500 -> bold' --color=always {csv}
"""


def write_tables(folder):
    """Tables of the same rows in several forms."""
    rows = [(number, f"Name {number * 7919 % 611}", f"{number * 7919 % 100003 / 100:.2f}",
             f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}", "abcdef"[number * 31 % 6], f"some words {number % 17}")
            for number in range(1, ROWS + 1)]
    titles = ["id", "name", "weight", "date", "category", "note"]
    spelled = {
        "csv": "{}", "quoted": '"{}"', "texts": 'a "{}" b', "side": "{}",
    }
    paths = {}
    for name, spelling in spelled.items():
        paths[name] = os.path.join(folder, name + ".csv")
        with open(paths[name], "w") as file:
            file.write(",".join(titles) + "\n")
            for row in rows if name != "side" else reversed(rows):
                file.write(",".join(spelling.format(cell) if place else str(cell) for place, cell in enumerate(row)) + "\n")
    paths["jsonl"] = os.path.join(folder, "rows.jsonl")
    with open(paths["jsonl"], "w") as file:
        for row in rows:
            file.write('{"id":%d,"name":"%s","weight":%s,"date":"%s","category":"%s","note":"%s"}\n' % row)
    return paths


def calls(profile):
    """How often each call of memcpy is made, by its address, with the function that makes it."""
    names, edges = {}, []
    function = callee = count = None
    address = 0
    with open(profile) as file:
        for line in file:
            if match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
                if match[3]:
                    names[match[2]] = match[3].strip()
                if match[1]:
                    callee = match[2]
                else:
                    function = match[2]
            elif line.startswith("calls="):
                count = int(line[6:].split()[0])
            elif re.match(r"0x|[+*-]", line):
                place = line.split()[0]
                address = int(place, 16) if place.startswith("0x") else address if place == "*" else address + int(place, 0)
                if count is not None:
                    edges.append((function, address, callee, count))
                    count = None
    copies = {number for number, name in names.items() if re.match(r"_*(memcpy|memmove)", name)}
    # A static program calls it by way of a stub without a name.
    copies |= {function for function, _, callee, _ in edges if callee in copies and names[function].startswith("0x")}
    found = collections.Counter()
    for function, address, callee, count in edges:
        if callee in copies and function not in copies:
            found[address, names[function]] += count
    return found


def sizes(program, places):
    """The constant sizes of calls, by address."""
    found, size = {}, None
    process = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        match = re.match(r"\s+([0-9a-f]+):\s+(\S+)\s*(.*)", line)
        if not match:
            size = None
            continue
        if constant := re.match(r"\$0x([0-9a-f]+),%[er]dx$", match[3]):
            size = int(constant[1], 16) if match[2].startswith("mov") else None
        elif re.search(r"%[er]dx$", match[3]) and not match[2].startswith(("cmp", "test")):
            size = None
        if match[2].startswith("call"):
            if int(match[1], 16) in places and size:
                found[int(match[1], 16)] = size
            size = None
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = write_tables(folder)
        for task in TASKS.strip().splitlines():
            profile = os.path.join(folder, "profile")
            command = f"valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file={profile} {program} {task.format(**paths)}"
            done = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder)
            if done.returncode not in (0, 1):
                sys.exit(f"{task}: status {done.returncode}: {done.stderr}")
            made[task] = calls(profile)
    known = sizes(program, {address for found in made.values() for address, _ in found})
    if not known:
        sys.exit("no call of memcpy has a constant size: has the program symbols?")
    failures = 0
    for task, found in made.items():
        for (address, function), count in found.most_common():
            if known.get(address, 0) >= LEAST_BYTES and count > MOST_PER_ROW * ROWS:
                failures += 1
                print(f"{task}: {count / ROWS:.2f} times a row {known[address]} bytes in {function}")
    print(f"{len(made)} tasks, {failures} large copies")
    sys.exit(failures > 0)


main()
