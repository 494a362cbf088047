#!/usr/bin/env python3
"""Looks for warnings that come twice: several options that meet the same bad cells, rows, names and inputs.

Options are put together at random, from a seed, over messy data in several forms, of one file and of several, with enough
memory and with next to none, read whole and as a live stream. On the standard error no line may come twice, nor two that
say the same of the same column and differ in the place or the count.
"""
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import harness

ROWS = [
    ("a", "1", "2K", "2024-01-05", "1h"), ("a", "n/a", "oops", "05.01.2024", "soon"), ("b", "1,200", "1M", "never", "90"),
    ("a", "3", "5", "2024-02-30", "2d"), ("b", "n/a", "n/a", "06.01.2024", "n/a"), ("c", "$7", "45%", "", ""),
    ("c", "NA", "512m", "7", "NA"), ("b", "-2", "1.5G", "2024-03-01T10:00", "5m"),
]
NAMES = ["k", "x", "y", "d", "t"]


def delimited(mark, rows=ROWS, quote='"'):
    def cell(text):
        return quote + text + quote if mark in text else text
    return "".join(mark.join(map(cell, row)) + "\n" for row in [tuple(NAMES), *rows])


def objects(rows=ROWS):
    def value(text):
        return text if re.fullmatch(r"-?\d+", text) else '"%s"' % text
    return "".join("{%s}\n" % ",".join('"%s":%s' % (name, value(cell)) for name, cell in zip(NAMES, row)) for row in rows)


FILES = {
    "a.csv": delimited(","), "b.csv": delimited(",", ROWS[::-1]), "a.tsv": delimited("\t"), "a.jsonl": objects(),
    "b.jsonl": objects(ROWS[:3]) + '{"k":"z","k":"y","late":1}\n', "empty.csv": "",
    "damaged.csv": delimited(",") + 'a,b"c,1\nonly,two\n"q"x\n', "twice.csv": "k,x,x,y,y\n1,2,3,4,5\n",
    "bytes.csv": "k\udcff,x,y,d\0,t\n\udcffa,1,\0,2,3\nb,\udcfe,\0\0,n/a,\udcff\n",
}
INPUTS = [
    ["a.csv"], ["a.tsv"], ["a.jsonl"], ["a.csv", "b.csv"], ["a.csv", "a.csv"], ["a.jsonl", "b.jsonl"],
    ["b.jsonl", "b.jsonl"], ["empty.csv", "a.csv", "empty.csv"],
    ["--names", "k,x,y,d,t", "bytes.csv"], ["bytes.csv", "bytes.csv"],
    ["--ragged", "skip", "--lazy-quotes", "damaged.csv", "damaged.csv"],
    ["--lookup", "s=twice.csv", "--lookup", "t=twice.csv", "--lookup", "e=empty.csv", "a.csv"],
]
# What reads the cells, each more than once if it comes twice.
USES = [
    "--sort x:number", "--sort -x:number,y:size", "--sort y:size,d:date,t:duration", "--sort x,y,t", "--sort -x,x",
    "--sort (x+1)", "--sort k,x:number", "--sorted-by x:number", "--head 3", "--head -2", "--tail 4", "--skip 1",
    "--filter x > 0 or true", "--filter x * 2 > 0 or x / 2 > 0 or true", "--filter size(y) > 1 or y > 3 or true",
    "--filter y > 1M or true", '--filter d >= date "2024-01-01" or true', '--filter d > "2024-01-05" or true',
    "--filter t > 1h or t > 3 or true", "--filter x and y or true", "--delete x > 5", "--delete 90,91", "--delete 90",
    "--derive e = x + 1; f = x - 1", "--derive g = year(d)", "--set k = x + 1", "--set y = y * 2",
    "--types x:number", "--types x:number,y:size", "--types d:date,t:duration", "--types q*:number",
    "--filter x > y or y < t or true", "--filter d > \"5.1.2024\" or x > \"2\" or y < \"1K\" or true",
    "--derive h = greatest(x, y); i = least(t, y)", "--footer y={max(y)},t={min(t)}", "--filter x != y or true",
    "--validate x > 1", "--validate x: value > 0", "--validate y: value > 0", "--validate *: value != x",
    "--can-edit x > 0", "--can-delete x > 0", "--can-move x > 0", "--on-error skip", "--null n/a", "--thousands ,",
    "--footer totals", "--footer x={sum(x)}", "--footer y={mean(x)},x={max(y)}", "--section-by k",
    "--section-header {sum(x)} {first(d)}", "--section-footer totals", "--section-footer x={sum(x)},y={sum(y)}",
    "--section-by x > 1", "--format x={x + 1}", "--format y={y + x}", "--format d=%d.%m.%Y", "--row-names {x + 1}",
    "--detail", "--title-of {x} {x + y}", "--cell x: x > 1 -> bold", "--cell y: y > x -> fg=red",
    "--cell x: fg={k}", "--cell y: bg={k}", "--row-background x > 2 -> fg={k}", "--row-overlay x > 3 -> dim",
    "--select x > 2", "--select 80", "--move (x > 99) to top", "--move 90 to top", "--move (x > 1) to bottom",
    "--columns k,x,y", "--columns k,x*,nope*", "--hide nope*", "--hide x", "--align nope*:r", "--color always",
    "--group-by k", "--aggregate s = sum(x), m = max(x), n = mean(y)", "--group-by x > 1", "--date-format %d.%m.%Y",
    "--width 20", "--overflow cut", "--page-height 6", "--html", "--markdown", "--csv", "--jsonl", "--list", "--flow 2",
]
# What asks for names that never come; of JSON, where that is known at the end.
UNSEEN = [
    "--sort zz", "--filter zz > 1 or true", "--filter zz = 1 or ww = 2 or true", "--derive h = zz + ww", "--set zz = 1",
    "--types zz:number", "--columns k,zz,ww", "--hide zz", "--format zz={zz}", "--cell zz: bold", "--cell k: zz > 1 -> bold",
    "--footer k={sum(zz)}", "--section-by zz", "--section-header {first(zz)}", "--validate zz: value > 1",
    "--filter k.zz = 1 or true", "--filter k.zz.ww = 1 or true", "--align zz:r", "--row-names zz", "--title-of {zz}",
]
# Where the bytes and the rows are.
WAYS = [[], [], ["--memory", "1"], ["--memory", "1K"], ["--follow"], ["--lookahead", "2"]]


def split(option):
    """The words of an option with its value, which may hold blanks."""
    return option.split(" ", 1)


def command(rng, tabler):
    source = rng.choice(INPUTS)
    isJSON = any(word.endswith(".jsonl") for word in source)
    uses = rng.sample(USES, rng.randrange(2, 7))
    if isJSON:
        uses += rng.sample(UNSEEN, rng.randrange(4))
    if rng.random() < 0.3:
        uses.append(rng.choice(uses))
    isPiped = len(source) == 1 and rng.random() < 0.5
    # A file that is followed has no end.
    ways = [way for way in WAYS if way != ["--follow"] or isPiped]
    words = [tabler, *(word for use in uses for word in split(use)), *rng.choice(ways)]
    return (words, source[0]) if isPiped else ([*words, *source], os.devnull)


def kind(line):
    """What a line says, without the place and the counts; rows that break a rule are told one by one."""
    if not re.match(r"tabler: (warning|note): ", line):
        return None
    line = re.sub(r" \(first: line \d+(, '.*?')?\)|\(first: [^)]*\)", "", line)
    line = re.sub(r"(\.\w+|<stdin>)(:\d+)+: ", r"\1: ", line)
    line = re.sub(r"; treated as null.*", "; treated as null", line)
    line = re.sub(r"\b\d+ (cell|row|line|text|value)s?\b", r"\1", line)
    return re.sub(r"\b(are|is|were|was|have|has)( not)?( an?)?\b|s\b", "", line)


def repeats(errors):
    """The first line that comes twice, or says what another says."""
    said = {}
    for line in errors.splitlines():
        if not line.startswith("tabler: "):
            continue
        for key in {line, kind(line)} - {None}:
            if key in said:
                return f"{said[key]}\n  {line}"
            said[key] = line
    return None


def check(command, folder):
    """What is wrong with a command, and whether it was refused."""
    words, source = command
    try:
        with open(Path(folder) / source, "rb") as file:
            piped = file.read()
        ended = harness.run(words, piped, folder)
    except subprocess.TimeoutExpired:
        return "does not end", False
    if ended.status not in (0, 1, 2, 3):
        return f"status {ended.status}", False
    return repeats(ended.errors), ended.status > 1


def main():
    arguments = harness.arguments(__doc__, ("--runs", 2000, "how many commands"), seed="1")
    tabler = arguments.tabler
    rng = random.Random(arguments.seed)
    commands = [command(rng, tabler) for _ in range(arguments.runs)]
    failed = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_bytes(text.encode(errors="surrogateescape"))
        with ThreadPoolExecutor(2) as pool:
            checked = pool.map(lambda command: check(command, folder), commands)
            for (words, source), (wrong, isRefused) in zip(commands, checked):
                refused += isRefused
                if wrong:
                    failed += 1
                    print(f"tabler {shlex.join(words[1:])} < {source}:\n  {wrong}")
    print(f"{len(commands) - failed} passed, {failed} failed; {refused} of them were refused by the program")
    sys.exit(1 if failed or refused > len(commands) * 0.8 else 0)


if __name__ == "__main__":
    main()
