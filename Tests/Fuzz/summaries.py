#!/usr/bin/env python3
"""Compares summaries of random tables with a model in Python: --summary.

Each round makes a table from a seed that is printed with every difference: numbers of many lengths, dates, texts, words and
empty cells, mixed; every hundredth has more values than the least budget holds. It is summarized from a pipe and from a
file, with next to no memory, as csv and JSON lines; numbers must be exact, and quotients and roots equal to 12 digits.
"""
import collections
import csv
import datetime
import fractions
import io
import json
import math
import os
import random
import re
import sys
import tempfile

import harness

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?$")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}$")
BARS = "▁▂▃▄▅▆▇█"
TITLES = "column type rows missing distinct min max mean median stddev top count shape".split()

KINDS = {
    "few": lambda rng: str(rng.choice([3, 3, 3, 7, -1])),
    "int": lambda rng: str(rng.randint(-1000, 100000)),
    "big": lambda rng: str(rng.randint(-10**30, 10**30)),
    "decimal": lambda rng: rng.choice(["1", "1.0", "1.50", "-2.25", "0.1", "0.10", f"{rng.randint(0, 10**8)}.{rng.randint(0, 999):03}"]),
    "date": lambda rng: (datetime.date(1999, 1, 1) + datetime.timedelta(rng.randint(0, 9000))).isoformat(),
    "text": lambda rng: rng.choice(["kiwi", "Zoë", "日本", "a,b", 'q"r', " x", "007", "Kiwi", "kiwi", "1e", "-"]),
    "bool": lambda rng: rng.choice(["true", "false"]),
    "unique": lambda rng: f"key {rng.randint(0, 10**9)}",
}


def kind(text):
    """The kind of a cell as it looks."""
    if NUMBER.match(text):
        return "number"
    if DATE.match(text):
        return "date"
    return "bool" if text in ("true", "false") else "text"


def order(name):
    """The order of values of a kind, and what makes two of them equal."""
    return {"number": fractions.Fraction, "date": lambda text: text, "bool": lambda text: text,
            "text": lambda text: text.encode()}[name]


def shape(values):
    """The bars of numbers, as doubles."""
    low, high = float(min(values)), float(max(values))
    bins = [0] * 8
    for value in values:
        part = (float(value) / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0
        bins[min(int(part * 8), 7)] += 1
    return "".join(BARS[-(-count * 7 // max(bins))] for count in bins)


def facts(cells):
    """What a summary says of the cells of a column; numbers as fractions or floats, what is not there as None."""
    filled = [cell for cell in cells if cell != ""]
    result = dict.fromkeys(TITLES)
    result |= {"rows": len(cells), "missing": len(cells) - len(filled)}
    if not filled:
        return result
    kinds = collections.Counter(kind(cell) for cell in filled)
    name = max(["number", "date", "bool", "text"], key=lambda name: kinds[name])
    own = [cell for cell in filled if kind(cell) == name]
    shown = name
    if name == "number":
        shown = "decimal" if any("." in cell for cell in own) else "int"
        if any(abs(int(cell)) >= 2**63 for cell in own if "." not in cell):
            shown = "decimal"
    others = [other for other in kinds if other != name]
    if others:
        only = others[0] if len(others) == 1 else "other"
        if only == "number":
            spelled = [cell for cell in filled if kind(cell) == "number"]
            only = "decimal" if any("." in cell or abs(int(cell)) >= 2**63 for cell in spelled) else "int"
        shown += f", {len(filled) - len(own)} {only}"
    result["type"] = shown
    value = order(name)
    values = [value(cell) for cell in own]
    counts, first = collections.Counter(values), {}
    for place, found in enumerate(values):
        first.setdefault(found, place)
    top = max(counts, key=lambda found: (counts[found], -first[found]))
    result |= {"distinct": len(counts), "top": top, "count": counts[top]}
    if name != "bool":
        result |= {"min": min(values), "max": max(values)}
    if name == "number":
        mean = sum(values) / len(values)
        middle = sorted(values)
        result["mean"] = mean
        result["median"] = (middle[(len(middle) - 1) // 2] + middle[len(middle) // 2]) / 2
        if len(values) > 1:
            spread = sum((found - mean) ** 2 for found in values) / (len(values) - 1)
            result["stddev"] = math.sqrt(spread)
        result["shape"] = shape(values)
    if name == "date":
        result["median"] = sorted(values)[(len(values) - 1) // 2]
        result["shape"] = shape([(datetime.date.fromisoformat(found) - datetime.date(1970, 1, 1)).days * 86400 for found in values])
    return result


def agrees(found, expected):
    """Whether a cell says what it should."""
    if expected is None:
        return found in ("", None)
    if isinstance(expected, bytes):
        return str(found).encode() == expected
    if isinstance(expected, (fractions.Fraction, float, int)):
        try:
            number = fractions.Fraction(str(found))
        except ValueError:
            return False
        return number == expected or math.isclose(number, expected, rel_tol=1e-12)
    # Truth values of JSON are those of Python.
    return str(found) == str(expected) or isinstance(found, bool) and str(found).lower() == expected


def tables(rng, is_long):
    """The names of columns, and rows; a long table has more values than the least budget holds."""
    names = [f"c{number}" for number in range(rng.randint(1, 6))]
    makers = {}
    for name in names:
        main, other = rng.choice(list(KINDS.values())), rng.choice(list(KINDS.values()))
        if is_long:
            main, other = KINDS[rng.choice(["unique", "big", "decimal"])], KINDS["int"]
        makers[name] = (main, other, rng.choice([0, 0, 0.2]), rng.choice([0, 0.1, 0.1, 1]) if rng.random() < 0.4 else 0)
    rows = []
    for _ in range(100_000 if is_long else rng.choice([0, 1, 2, 10, 100, 700])):
        row = []
        for main, other, share, empty in makers.values():
            chance = rng.random()
            row.append("" if chance < empty else other(rng) if rng.random() < share else main(rng))
        rows.append(row)
    return names, rows


def main():
    options = harness.arguments(__doc__, ("--rounds", 300, "how many tables"))
    differences = comparisons = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        for round in range(options.rounds):
            rng = random.Random(f"{options.seed} {round}")
            names, rows = tables(rng, round % 100 == 99)
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(names)
            # A line without anything is no record.
            writer.writerows([['"'] if row == [""] else row for row in rows])
            rows = [['"'] if row == [""] else row for row in rows]
            data = text.getvalue()
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(data)
            expected = [facts([row[place] for row in rows]) | {"column": name} for place, name in enumerate(names)]
            for words, given in [([], data), ([path], None), (["--memory", "1K"], data), (["--sort", "-column"], data)]:
                form = rng.choice(["--csv", "--jsonl"])
                ended = harness.run([options.tabler, "--from", "csv", "--summary", form, *words], given)
                lines = [json.loads(line, parse_float=str, parse_int=str) for line in ended.output.splitlines()] \
                    if form == "--jsonl" else list(csv.DictReader(io.StringIO(ended.output)))
                wanted = expected[::-1] if "--sort" in words else expected
                comparisons += 1
                wrong = [(row["column"], title, row.get(title), line[title]) for row, line in zip(lines, wanted)
                         for title in TITLES if not agrees(row.get(title), line[title])]
                if ended.status or len(lines) != len(wanted) or wrong:
                    differences += 1
                    print(f"seed {options.seed}, round {round}: {words} {form}: status {ended.status} {ended.errors}"
                          f"{len(lines)} rows; {wrong[:3]}")
    print(f"seed {options.seed}: {comparisons} comparisons, {differences} differences")
    sys.exit(1 if differences or not comparisons else 0)


if __name__ == "__main__":
    main()
