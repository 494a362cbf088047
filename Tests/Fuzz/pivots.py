#!/usr/bin/env python3
"""Compares random tables whose columns become rows with a model in Python: --unpivot.

Each round makes a table from a seed that is printed with every difference: cells that are empty, quoted, null, with marks,
ends of lines and other scripts, and rows that are too short; every twentieth is wide, every fiftieth long. It is read from a
pipe and from a file, as csv, tsv and JSON lines whose keys come late, with next to no memory, filtered before, and sorted,
cut off or grouped after.
"""
import csv
import io
import json
import os
import random
import sys
import tempfile

import harness

CELLS = ["", "", "1", "-2.50", "007", "kiwi", "Zoë", "日本", "a,b", 'q"r', "two\nlines", "true", "null", "=1"]


def table(rng, round):
    """The names of columns, and rows."""
    width = rng.randint(30, 200) if round % 20 == 19 else rng.randint(2, 7)
    names = [f"c{number}" for number in range(width)]
    rng.shuffle(names)
    count = 20_000 if round % 50 == 49 and width < 10 else rng.choice([0, 1, 2, 10, 60])
    return names, [[f"r{number}"] + [rng.choice(CELLS) for _ in names[1:]] for number in range(count)]


def chosen(rng, names):
    """A list for COLS, whose columns are not the first one, and what the rows call each of them."""
    others = names[1:]
    kind = rng.choice(["names", "titles", "glob", "range", "all but"])
    if kind == "glob":
        digit = rng.choice("0123456789")
        pattern = f"*{digit}"
        found = [name for name in names if name.endswith(digit)]
        if found and names[0] not in found:
            return pattern, [(name, name) for name in found]
    if kind == "range":
        first, last = sorted(rng.choices(range(len(others)), k=2))
        return f"{others[first]}..{others[last]}", [(name, name) for name in others[first:last + 1]]
    if kind == "all but":
        return f"!{names[0]}", [(name, name) for name in others]
    found = rng.sample(others, rng.randint(1, len(others)))
    if kind == "titles":
        return ",".join(f"{name}=Title of {name}" for name in found), [(name, f"Title of {name}") for name in found]
    return ",".join(found), [(name, name) for name in found]


def unpivoted(names, rows, turned):
    """The rows that the columns become, as the cells by the name of their column."""
    gone = {name for name, _ in turned}
    kept = [name for name in names if name not in gone]
    made = []
    for row in rows:
        cells = dict(zip(names, row))
        for name, title in turned:
            made.append({kept_name: cells[kept_name] for kept_name in kept} | {"what": title, "value": cells[name]})
    return kept + ["what", "value"], made


def written(names, rows, form, rng):
    """The table in a form; in JSON a cell that is empty is null, or missing."""
    if form == "jsonl":
        lines = []
        for row in rows:
            members = [(name, cell or None) for name, cell in zip(names, row) if cell != "" or rng.random() < 0.5]
            if rng.random() < 0.2:
                rng.shuffle(members)
            lines.append(json.dumps(dict(members), ensure_ascii=rng.random() < 0.3) + "\n")
        return "".join(lines)
    if form == "tsv":
        def spelled(cell):
            return cell.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
        return "".join("\t".join(map(spelled, row)) + "\n" for row in [names] + rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=rng.choice(["\n", "\n", "\r\n"]), quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


def read(output, form):
    """The rows of an answer, as texts; what is null or missing is empty."""
    if form == "--csv":
        return list(csv.DictReader(io.StringIO(output, newline="")))
    rows = [json.loads(line, parse_float=str, parse_int=str) for line in output.splitlines()]
    return [{name: "" if cell is None else str(cell).lower() if isinstance(cell, bool) else cell for name, cell in row.items()} for row in rows]


def question(rng, names, rows, turned):
    """Options besides --unpivot, and the rows that they leave of the model's."""
    kind = rng.choice(["plain", "filter", "head", "sort", "group", "memory", "columns"])
    if kind == "filter":
        limit = rng.randint(0, 60)
        rows = [row for row in rows if int(row[0][1:]) >= limit]
        return ["--filter", f"int(substr({names[0]}, 2)) >= {limit}"], unpivoted(names, rows, turned)
    titles, made = unpivoted(names, rows, turned)
    if kind == "head":
        skip, count = rng.randint(0, 5), rng.randint(0, 30)
        return ["--skip", str(skip), "--head", str(count)], (titles, made[skip:skip + count])
    if kind == "sort":
        made = sorted(made, key=lambda row: (row["value"] == "", row["value"].encode()))
        return ["--sort", "value:text", "--memory", rng.choice(["1K", "1G"])], (titles, made)
    if kind == "group":
        counts = {}
        for row in made:
            counts[row["what"]] = counts.get(row["what"], 0) + (row["value"] != "")
        return ["--group-by", "what", "--aggregate", "n = count(value)"], (
            ["what", "n"], [{"what": what, "n": str(count)} for what, count in counts.items()])
    if kind == "columns":
        return ["--columns", "value,what"], (
            ["value", "what"], [{"value": row["value"], "what": row["what"]} for row in made])
    return ["--memory", "1K"] if kind == "memory" else [], (titles, made)


def main():
    options = harness.arguments(__doc__, ("--rounds", 300, "how many tables"))
    differences = comparisons = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table")
        for round in range(options.rounds):
            rng = random.Random(f"{options.seed} {round}")
            names, rows = table(rng, round)
            form = rng.choice(["csv", "csv", "tsv", "jsonl"])
            if form == "jsonl" and not rows:
                continue
            columns, turned = chosen(rng, names)
            if form == "jsonl" and any(mark in columns for mark in "*!") or form == "jsonl" and ".." in columns:
                columns, turned = ",".join(names[1:3]), [(name, name) for name in names[1:3]]
            data = written(names, rows, form, rng)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(data)
            for from_file in [False, True]:
                words, (titles, expected) = question(rng, names, rows, turned)
                to = "--jsonl" if form == "jsonl" or rng.random() < 0.4 else "--csv"
                ended = harness.run(
                    [options.tabler, "--from", form, "--unpivot", f"{columns} to what, value", *words, to, "--quiet"]
                    + ([path] if from_file else []), None if from_file else data)
                found = [] if ended.status else read(ended.output, to)
                comparisons += 1
                found = [{title: row.get(title, "") for title in titles} | {key: row[key] for key in row if key not in titles} for row in found]
                if ended.status or found != expected:
                    differences += 1
                    place = next((n for n, (one, other) in enumerate(zip(found, expected)) if one != other), None)
                    print(f"seed {options.seed}, round {round}: {form} {columns} {words} {to}: status {ended.status} {ended.errors}"
                          f"{len(found)} rows, not {len(expected)}; "
                          f"{(place, found[place], expected[place]) if place is not None else ''}")
    print(f"seed {options.seed}: {comparisons} comparisons, {differences} differences")
    sys.exit(1 if differences or not comparisons else 0)


if __name__ == "__main__":
    main()
