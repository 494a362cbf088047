#!/usr/bin/env python3
"""Compares pivoted random tables with a model in Python: --pivot and --pivot-total.

Each round makes a table from a seed that is printed with every difference: keys, values that make columns and numbers, some of
them empty; every thirtieth has more groups than the least budget holds. It is pivoted from a pipe and from a file, with next
to no memory, with one aggregate and with several, as csv and JSON lines.
"""
import csv
import fractions
import io
import json
import os
import random
import sys
import tempfile

import harness


def table(rng, is_large):
    """Rows of two keys, of what makes columns, and of a number."""
    count = 30000 if is_large else rng.choice([0, 1, 2, 5, 20, 100])
    keys = [f"k{number}" for number in range(9000 if is_large else rng.randint(1, 9))] + ["", "Zoë", "a,b"]
    values = [str(number) for number in range(2020, 2020 + rng.randint(1, 9))] + ["", "g", "日本"]
    numbers = [lambda: str(rng.randint(-9, 9)), lambda: f"{rng.randint(-50, 50) / 4:g}", lambda: ""]
    return [[rng.choice(keys), rng.choice("xy"), rng.choice(values), rng.choice(numbers)()] for _ in range(count)]


def total(rows):
    """The aggregates of some rows: a sum, a count and the last number."""
    numbers = [fractions.Fraction(row[3]) for row in rows if row[3]]
    return [sum(numbers) if numbers else None, len(rows), rows and next((row[3] for row in reversed(rows) if row[3]), None) or None]


def distinct(titles, last, taken):
    """Titles of which the second of a kind is `x_2`; those at the places of `last` are changed rather than others."""
    known, places = set(taken), [at for at in range(len(titles)) if at not in last] + last
    for at in places:
        plain, number = titles[at], 1
        while titles[at] in known:
            number += 1
            titles[at] = f"{plain}_{number}"
        known.add(titles[at])
    return titles


def pivoted(rows, keys, names, title):
    """The titles and the lines of the table."""
    order = list(dict.fromkeys(row[2] for row in rows))
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[place] for place in keys), []).append(row)
    if not keys and not groups:
        groups[()] = []
    titles = distinct([value or "NA" for value in order] + ([title] if title else []),
                      [at for at, value in enumerate(order + [""] * bool(title)) if not value],
                      ["gh"[place] for place in keys] if len(names) == 1 else [])
    columns = [value if len(names) == 1 else f"{value}: {name}" for value in titles for name in names]
    lines = []
    for key, members in groups.items():
        parts = [total([row for row in members if row[2] == value]) for value in order] + ([total(members)] if title else [])
        lines.append([*key, *(cell for part in parts for cell in part[:len(names)])])
    return columns, lines


def agrees(found, wanted):
    if wanted is None or wanted == "":
        return found in ("", None)
    if isinstance(wanted, str) and found == wanted:
        return True
    try:
        return fractions.Fraction(str(found)) == fractions.Fraction(wanted)
    except ValueError:
        return False


def main():
    options = harness.arguments(__doc__, ("--rounds", 120, "how many tables"))
    differences = comparisons = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        for round in range(options.rounds):
            rng = random.Random(f"{options.seed} {round}")
            rows = table(rng, round % 30 == 29)
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([["g", "h", "v", "n"], *rows])
            data = text.getvalue()
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(data)
            for keys in [[0], [0, 1], []]:
                names = ["s"] if rng.random() < 0.5 else ["s", "c", "l"]
                title = rng.choice(["", "all"])
                aggregate = ", ".join(f"{name} = {call}" for name, call in zip("scl", ["sum(n)", "count()", "last(n)"]) if name in names)
                words = ["--pivot", "v", "--aggregate", aggregate, *(["--group-by", ",".join("gh"[key] for key in keys)] if keys else []),
                         *(["--pivot-total", title] if title else [])]
                columns, expected = pivoted(rows, keys, names, title)
                for given in [([], data), ([path], None), (["--memory", "1K"], data)]:
                    form = rng.choice(["--csv", "--jsonl"])
                    ended = harness.run([options.tabler, "--from", "csv", *words, form, *given[0]], given[1])
                    if form == "--csv":
                        found = list(csv.reader(io.StringIO(ended.output)))
                        titles, lines = found[0][len(keys):] if found else [], found[1:]
                    else:
                        found = [json.loads(line, parse_float=str, parse_int=str, object_pairs_hook=list) for line in ended.output.splitlines()]
                        titles, lines = None, [[cell for _, cell in line] for line in found]
                    wanted = [line for line in expected if line]
                    comparisons += 1
                    right = len(lines) == len(wanted) and all(
                        len(line) == len(other) and all(map(agrees, line, other)) for line, other in zip(lines, wanted))
                    if ended.status or not right or titles is not None and titles != columns:
                        differences += 1
                        print(f"seed {options.seed}, round {round}: {words} {form} {given[0]}: status {ended.status} {ended.errors}"
                              f"{len(lines)} rows of {len(wanted)}; titles {titles} {columns}; {lines[:2]} {wanted[:2]}"[:900])
    print(f"seed {options.seed}: {comparisons} comparisons, {differences} differences")
    sys.exit(1 if differences or not comparisons else 0)


if __name__ == "__main__":
    main()
