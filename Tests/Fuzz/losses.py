#!/usr/bin/env python3
"""Asks whether --in-place loses something in silence: each edit over data in which numbers and dates have decorations.

After a run that failed the file is as it was. After one that did not, each record is there whose cells did not convert,
and each cell that said something says something, unless a message tells how many were emptied or --on-error skip asked for
it. That holds for csv, tsv, jsonl and json, and with next to no memory.
"""
import csv
import io
import itertools
import json
import os
import random
import re
import sys
import tempfile

import harness

DECORATED = ["$5", "NA", "n/a", "1,234", "5 kg", "12%", "(3)", "2024-13-01", "yes", "-", "3h", "1.5G", "₹7", "x"]
CLEAN = ["1", "0", "-7", "12.50", "1000000", "2024-01-31", "true"]
VALUES = [
    "n * 2", "-n", "n + m", "round(n)", "n / 2", "n % 2", "n * 1h", "n + 1d", "date_add('day', 1, n)", "year(n)", "not n",
    "n > 1", "n || m", "epoch(n)", "abs(n) ++ ' EUR'", "sqrt(n)", "clamp(n, 1, 5)", "least(n, m)", "if(m > 1, n * 2, n)",
    "number(n)", "number(trim(n)) * 2", "date(n)", "extract(n, /\\d+/)", "size(n)", "lookup('t', n)", "nullif(n, 'x')",
]
CONDITIONS = [
    "n > 5", "not n > 5", "n = 5", "n != 5", "n in (1, 2)", "n between 1 and 5", "n + 1 > 2", "abs(n) < 9", "n < 10M",
    "n > 1h", "n > '2024-01-01'", "date(n) > '2024-01-01'", "year(n) = 2024", "n", "not n", "round(n) = 1",
    "n > 5 and n < 9", "n > 5 or n < 1",
]
TYPES = ["number", "int", "decimal", "bool", "date", "duration", "size", "list"]
FORMS = ["csv", "tsv", "jsonl", "json"]


def edits():
    """The options of each edit, and what may go in it: cells, rows, or nothing."""
    for value in VALUES:
        yield ["--set", f"n = {value}"], "cells"
        yield ["--set", f"m = {value}"], "cells"
        yield ["--set", f"n = {value} where n is number"], "cells"
        yield ["--derive", f"late = {value}"], "cells"
    for condition in CONDITIONS:
        yield ["--filter", condition], "rows"
        yield ["--filter", "m > -1", "--filter", condition], "rows"
        yield ["--delete", condition], "rows"
        yield ["--set", f"m = 1 where {condition}"], "nothing"
        yield ["--sort", f"({condition})"], "nothing"
    for suffix in ["", ":number", ":date", ":size", ":natural", ":duration"]:
        yield ["--sort", "n" + suffix], "nothing"
    for kind in TYPES:
        yield ["--types", f"n:{kind}"], "nothing"
        yield ["--types", f"n:{kind}", "--set", "m = n"], "cells"
        yield ["--types", f"m:{kind}", "--set", "m = n"], "cells"
        yield ["--types", f"n:{kind}", "--filter", "n = n"], "rows"
        yield ["--types", f"n:{kind}", "--sort", "n"], "nothing"
    yield ["--validate", "n: value > 5"], "nothing"
    yield ["--can-edit", "n > 5", "--set", "m = 1"], "nothing"
    yield ["--can-delete", "n > 5", "--delete", "m > 1"], "rows"


def texts(records, form):
    if form == "json":
        return "[" + ",\n".join(texts(records, "jsonl").splitlines()) + "]\n"
    if form == "jsonl":
        return "".join(json.dumps({k: v for k, v in each.items() if v is not None}, ensure_ascii=False) + "\n" for each in records)
    rows = [[each[name] for name in ("id", "n", "m")] for each in records]
    return harness.csv_text([["id", "n", "m"], *rows], "\t" if form == "tsv" else ",")


def read(text, form):
    """The records by id, each a dictionary of what its cells say; null says nothing."""
    if form == "json":
        found = json.loads(text)
    elif form == "jsonl":
        found = [json.loads(line) for line in text.splitlines()]
    else:
        found = list(csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ","))
    def says(value):
        # An empty text of JSON is not null.
        return "" if value is None else str(value) or (form in ("json", "jsonl") and "<empty>") or ""
    return {str(each["id"]): {name: says(value) for name, value in each.items()} for each in found}


def table(rng, form):
    records = []
    for number in range(rng.choice([1, 3, 8, 40])):
        n = rng.choice(DECORATED if rng.random() < 0.5 else CLEAN + [""])
        each = {"id": str(number + 1), "n": n, "m": rng.choice(["1", "2", "3", "x" if rng.random() < 0.2 else "4"])}
        if form in ("jsonl", "json") and rng.random() < 0.3:
            each["late"] = "kept"
        records.append(each)
    return records


def question(tabler, folder, rng, form, options, losing):
    records = table(rng, form)
    more = rng.choice([[], [], ["--memory", "1K"], ["--null", "NA"], ["--on-error", "skip"]])
    text = texts(records, form)
    path = os.path.join(folder, "f." + form)
    with open(path, "w") as file:
        file.write(text)
    words = [tabler, *options, *more, "--lookup", f"t={os.path.join(folder, 't.csv')}", "-i", path]
    run = harness.run(words)
    with open(path) as file:
        written = file.read()
    shown = " ".join(map(repr, words[1:])) + "\n" + text + run.errors
    if run.status < 0 or run.status == 2 and "--on-error" not in run.errors and written != text:
        return "died or changed a file it refused\n" + shown
    if run.status != 0:
        return None if written == text else "failed and changed the file\n" + shown + written
    found = read(written, form)
    is_skipping = "--on-error" in more
    if not is_skipping and losing != "rows" and len(found) < len(records):
        return "rows are missing\n" + shown + written
    # A word of --null is null, and so it is written to JSON.
    words = ["", "NA"] if "--null" in more else [""]
    if not is_skipping and losing == "rows" and options[0] == "--filter":
        for each in records:
            if each["n"] in DECORATED and each["n"] not in words and each["id"] not in found and not converts(each["n"], options):
                return f"row {each['id']} is gone\n" + shown + written
    emptied = sum(int(count) for count in re.findall(r"(\d+) cells? of '[^']*' emptied", run.errors))
    lost = sum(1 for each in records for name, cell in each.items()
               if each["id"] in found and cell not in words and found[each["id"]].get(name, "") == "")
    if lost != emptied:
        return f"{lost} cells are empty, {emptied} are told\n" + shown + written
    return None


def converts(text, options):
    """Whether a decorated cell converts for a condition, or is compared as text."""
    source = " ".join(options)
    if "is number" in source or "--types" in options:
        return True
    if "10M" in source:
        return text in ("12%", "1.5G")
    if "1h" in source:
        return text == "3h"
    # A text that is compared with a text that spells a date is text; number(), date() do not count what they take.
    return "'2024-01-01'" in source


def main():
    options = harness.arguments(__doc__, ("--rounds", 2, "how many tables for each edit and form"))
    tabler, count, wrong = options.tabler, 0, []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.csv"), "w") as file:
            file.write("k,v\n1,one\n")
        for (edit, losing), form, round in itertools.product(edits(), FORMS, range(options.rounds)):
            rng = random.Random(f"{options.seed} {edit} {form} {round}")
            count += 1
            reason = question(tabler, folder, rng, form, edit, losing)
            if reason:
                wrong.append(reason)
    for reason in wrong[:8]:
        print("\n".join(reason.splitlines()[:16]) + "\n")
    print(f"seed {options.seed}: {count} edits, {len(wrong)} lose something in silence")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
