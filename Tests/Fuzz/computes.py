#!/usr/bin/env python3
"""Compares columns that are computed over rows in their order with a model in Python: --compute.

Each round makes a table from a seed that is printed with every difference: whole numbers, decimals, texts and empty cells;
every fiftieth has more rows than the least budget holds. Columns are computed from a pipe, piece by piece, and from a file,
with next to no memory, in the given order, sorted, moved, in sections and cut off, as csv and JSON lines.
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

TEXTS = ["kiwi", "Zoë", "日本", "a,b", 'q"r', "x y", "007", "Kiwi"]


def table(rng, is_large):
    """Rows of a key, a group, a number and a text."""
    count = 20000 if is_large else rng.choice([0, 1, 2, 3, 5, 8, 13, 40, 200])
    numbers = [lambda: str(rng.randint(-5, 5)), lambda: f"{rng.randint(-50, 50) / 4:g}", lambda: str(rng.randint(10**15, 10**16)),
               lambda: rng.choice(["1.10", "2.5", "", "3", "-7"])]
    number = rng.choice(numbers)
    groups = sorted(rng.choice("abc") for _ in range(count))
    return [[str(place), groups[place], "" if rng.random() < 0.1 else number(), rng.choice(TEXTS)] for place in range(count)]


def value(text):
    return fractions.Fraction(text) if text else None


def computed(rows):
    """The columns of consecutive rows: r, s, k, p, q, u and d."""
    numbers = [value(row[2]) for row in rows]
    known = [number for number in numbers if number is not None]
    total, ranks = sum(known), ranked(known)
    lines = []
    running = fractions.Fraction(0)
    for place, number in enumerate(numbers):
        running += number or 0
        before = numbers[place - 1] if place else None
        lines.append([
            None if number is None else running,
            None if number is None or not total else number / total,
            None if number is None else ranks[number],
            rows[place - 2][3] if place >= 2 else None,
            numbers[place + 3] if place + 3 < len(rows) else None,
            rows[place + 1][3] if place + 1 < len(rows) else None,
            None if number is None or before is None else number - before,
        ])
    return lines


def ranked(numbers):
    """The rank of each number."""
    ranks = {}
    for place, number in enumerate(sorted(numbers, reverse=True)):
        ranks.setdefault(number, place + 1)
    return ranks


def agrees(found, wanted):
    """Whether a cell is what the model says: numbers are equal, or nearly if they were divided."""
    if wanted is None:
        return found in ("", None)
    if isinstance(wanted, str):
        return found == wanted
    try:
        number = fractions.Fraction(str(found))
    except ValueError:
        return False
    return number == wanted or abs(number - wanted) <= abs(wanted) * fractions.Fraction(1, 10**12)


COMPUTE = ["--compute", "r = running(n), s = share(n), k = rank(n), p = prior(t, 2)",
           "--compute", "q = next(n, 3); u = next(t); d = n - prior(n)"]
STREAMED = ["--compute", "r = running(n), p = prior(t, 2), d = n - prior(n)"]
NEXT = ["--compute", "r = running(n), q = next(n, 3), u = next(t)"]
NAMES = ["r", "s", "k", "p", "q", "u", "d"]


def views(rng, rows):
    """Options, the rows in their order, and how these are divided."""
    yield [], rows, False
    yield ["--sort", "-id"], rows[::-1], False
    yield ["--section-by", "g", "--grid"], rows, True
    if len(rows) > 3:
        yield ["--move", "3 to top"], [rows[2], *rows[:2], *rows[3:]], False
        place = rng.randint(1, len(rows))
        yield ["--move", f"{place} to bottom"], rows[:place - 1] + rows[place:] + [rows[place - 1]], False


def main():
    options = harness.arguments(__doc__, ("--rounds", 150, "how many tables"))
    differences = comparisons = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        for round in range(options.rounds):
            rng = random.Random(f"{options.seed} {round}")
            rows = table(rng, round % 50 == 49)
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([["id", "g", "n", "t"], *rows])
            data = text.getvalue()
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(data)
            for words, ordered, is_divided in views(rng, rows):
                if is_divided:
                    # Data forms draw no sections, but functions begin anew in each.
                    words = words[:2]
                    groups = [[row for row in ordered if row[1] == letter] for letter in "abc"]
                    expected = [line for group in groups for line in computed(group)]
                else:
                    expected = computed(ordered)
                wanted = [dict(zip(["id", *NAMES], [row[0], *line])) for row, line in zip(ordered, expected)]
                for compute in [COMPUTE, STREAMED, NEXT]:
                    head = rng.choice([None, None, rng.randint(0, len(rows) + 1)])
                    cut = [] if head is None else ["--head", str(head)]
                    form = rng.choice(["--csv", "--jsonl"])
                    given = rng.choice([([], data), ([path], None), (["--memory", "1K"], data), ([path, "--memory", "1K"], None)])
                    ended = harness.run([options.tabler, "--from", "csv", "--types", "t:text", *words, *compute, *cut, form, *given[0]], given[1])
                    lines = [json.loads(line, parse_float=str, parse_int=str) for line in ended.output.splitlines()] \
                        if form == "--jsonl" else list(csv.DictReader(io.StringIO(ended.output)))
                    comparisons += 1
                    right = wanted if head is None else wanted[:head]
                    wrong = [(row, name, row[name], line[name]) for row, line in zip(lines, right)
                             for name in ["id", *NAMES] if name in row and not agrees(row[name], line[name])]
                    if ended.status or len(lines) != len(right) or wrong:
                        differences += 1
                        print(f"seed {options.seed}, round {round}: {words} {compute} {cut} {form} {given[0]}: status {ended.status} "
                              f"{ended.errors}{len(lines)} rows of {len(right)}; {wrong[:2]}")
    print(f"seed {options.seed}: {comparisons} comparisons, {differences} differences")
    sys.exit(1 if differences or not comparisons else 0)


if __name__ == "__main__":
    main()
