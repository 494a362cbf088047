#!/usr/bin/env python3
"""Compares joined tables, rows made of lists and aggregates of lists with DuckDB and a model in Python: --join, --explode.

Each round makes a pair of tables from a seed that is printed with every difference: keys of one to three columns, of the same
or of other names, as texts, integers, decimals and dates, with nulls, repeats and keys that only one of them has. They are read
as csv, tsv and JSON lines, from files and from a pipe, with next to no memory, some of them with a table that does not fit into
it; filtered, sorted, cut off or grouped after.
DuckDB joins the same rows by the same keys; the order is that of the first table, then that of the second. Lists in JSON, some
of them inside of objects, are taken apart by Python.
"""
import csv
import io
import json
import os
import random
import sys
import tempfile

import duckdb
import harness

TEXTS = ["a", "b", "Zoë", "日本", "a b", 'q"r', "x,y", "007", "01", "true", "1a", "-", "A"]
NUMBERS = [["1", "1.0", "1e0", "1.00"], ["2", "2.0"], ["-3.5", "-3.50"], ["10", "1e1"], ["0", "0.0"],
           ["12345678901234567", "12345678901234567.0"], ["12345678901234568"]]
DATES = ["2024-01-31", "2023-12-01", "1999-07-04"]
KINDS = {"left": "LEFT", "inner": "INNER", "semi": "SEMI", "anti": "ANTI"}


def keys(rng, kind):
    """A spelling of a random key, which may be null."""
    if rng.random() < 0.1:
        return ""
    if kind == "text":
        return rng.choice(TEXTS)
    if kind == "number":
        return rng.choice(rng.choice(NUMBERS))
    return rng.choice(DATES)


def table(rng, kinds, names, others, most):
    """Rows of keys and other cells."""
    count = rng.choice([0, 1, 3, 20, 20, most])
    return [[keys(rng, kind) for kind in kinds] + [rng.choice(["", "x", "1", "y z", "é"]) + (str(n) if rng.random() < 0.5 else "")
                                                   for _ in others] for n in range(count)]


def written(names, rows, form):
    """The bytes of a table."""
    if form == "jsonl":
        def value(text):
            if text == "":
                return "null"
            try:
                float(text)
            except ValueError:
                return json.dumps(text, ensure_ascii=False)
            plain = text not in ("007", "01")
            return text if plain else json.dumps(text)
        return "".join("{" + ",".join(f"{json.dumps(n)}:{value(c)}" for n, c in zip(names, row)) + "}\n" for row in rows)
    mark = "," if form == "csv" else "\t"
    out = io.StringIO()
    if form == "tsv":
        out.write(mark.join(names) + "\n" + "".join(mark.join(row) + "\n" for row in rows))
    else:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([names] + rows)
    return out.getvalue()


def expected(kind, kinds, own, other, pairs, added):
    """The rows that DuckDB joins, in the order of both tables."""
    base = duckdb.connect()
    for name, (titles, rows) in {"l": own, "r": other}.items():
        base.execute(f"CREATE TABLE {name} (place INTEGER, {', '.join(f'c{n} VARCHAR' for n in range(len(titles)))})")
        if rows:
            base.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * (len(titles) + 1))})",
                             [[place] + [cell if cell != "" else None for cell in row] for place, row in enumerate(rows)])
    types = {"text": "CAST({} AS VARCHAR)", "number": "exact({})", "date": "CAST({} AS DATE)"}
    same = " AND ".join(f"{types[k].format(f'l.c{a}')} = {types[k].format(f'r.c{b}')}" for k, (a, b) in zip(kinds, pairs))
    # Decimals with exponents are no decimals to DuckDB.
    base.execute("CREATE MACRO exact(x) AS CASE WHEN contains(x, 'e') THEN CAST(CAST(x AS DOUBLE) AS DECIMAL(38, 6)) "
                 "ELSE CAST(x AS DECIMAL(38, 6)) END")
    columns = [f"l.c{n}" for n in range(len(own[0]))] + [f"r.c{n}" for n in added]
    order = "l.place" + (", r.place" if kind in ("left", "inner") else "")
    sql = f"SELECT {', '.join(columns)} FROM l {KINDS[kind]} JOIN r ON {same} ORDER BY {order}"
    return [["" if cell is None else cell for cell in row] for row in base.execute(sql).fetchall()]


def read(text, form):
    """The cells of an output."""
    if form == "--csv":
        return [row for row in csv.reader(io.StringIO(text))][1:]
    spelled = json.JSONDecoder(parse_int=str, parse_float=str)
    return [[("" if cell is None else {True: "true", False: "false"}.get(cell, cell) if isinstance(cell, bool) else cell)
             for cell in spelled.decode(line).values()] for line in text.splitlines()]


def join(rng, options, folder):
    """One pair of tables: what differs, if anything does."""
    kinds = [rng.choice(["text", "text", "number", "date"]) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    own_names = [f"k{n}" for n in range(len(kinds))]
    same = rng.random() < 0.6
    other_names = own_names if same else [f"key {n}" for n in range(len(kinds))]
    own_others, other_others = ["n", "name"], rng.choice([["price"], ["price", "name"], [], ["name", "name_2"]])
    own = (own_names + own_others, table(rng, kinds, own_names, own_others, 400))
    other = (other_names + other_others, table(rng, kinds, other_names, other_others, 60))
    kind = rng.choice(list(KINDS))
    pairs = [(n, n) for n in range(len(kinds))]
    added = range(len(kinds), len(other[0])) if kind in ("left", "inner") else []
    rows = expected(kind, kinds, own, other, pairs, added)
    forms = [rng.choice(["csv", "csv", "tsv", "jsonl"]) for _ in range(2)]
    # Without a row a table of JSON has no columns.
    forms = [form if rows_ else "csv" for form, rows_ in zip(forms, (own[1], other[1]))]
    paths = [os.path.join(folder, f"{side}.{form}") for side, form in zip("lr", forms)]
    pads = len(own[1]) < 60 < len(other[1]) * 4 and rng.random() < 0.2
    if pads:
        # More than fits into memory: it is divided by keys.
        other = (other[0] + ["pad"], [row + ["p" * (18_000_000 // len(other[1]) + rng.randint(0, 9))] for row in other[1]])
    for path, (names, cells), form in zip(paths, (own, other), forms):
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(written(names, cells, form))
    on = ", ".join(a if a == b else f'{a} = "{b}"' for a, b in zip(own_names, other_names))
    to = "--jsonl" if forms[0] == "jsonl" else "--csv"
    words = [options.tabler, "--join", f"{paths[1]} on {on}", "--join-type", kind, to, "--quiet", "--missing", ""]
    words += ["--memory", "1K"] if pads else rng.choice([[], [], ["--memory", "1K"], ["--memory", "64M"]])
    words += ["--hide", "pad"] if pads and kind in ("left", "inner") else []
    after = rng.choice(["none", "none", "head", "sort", "filter"])
    if after == "head":
        skip, count = rng.randint(0, 9), rng.randint(0, 40)
        words += ["--skip", str(skip), "--head", str(count)]
        rows = rows[skip:skip + count]
    if after == "sort":
        words += ["--sort", "n:text"]
        rows = sorted(rows, key=lambda row: (row[len(kinds)] == "", row[len(kinds)].encode()))
    if after == "filter":
        words += ["--filter", "n is null"]
        rows = [row for row in rows if row[len(kinds)] == ""]
    by_pipe = rng.random() < 0.5
    words += ["--from", forms[0]] if by_pipe else [paths[0]]
    with open(paths[0], encoding="utf-8", newline="") as file:
        data = file.read()
    ended = harness.run(words, data if by_pipe else None)
    found = [] if ended.status else read(ended.output, to)
    if ended.status or found != rows:
        place = next((n for n, (one, two) in enumerate(zip(found, rows)) if one != two), None)
        return f"{words}: status {ended.status} {ended.errors} {len(found)} rows, not {len(rows)}; " + (
            f"{place}: {found[place]}, not {rows[place]}" if place is not None else "")
    return None


def explode(rng, options, folder):
    """Records with lists: what differs, if anything does."""
    def element(depth):
        return rng.choice([None, True, 1, -2.5, "x", "Zoë \"q\"", "", 12345678901234567890] + (
            [{"a": 1, "b": [1, 2]}, [1, [2]], {}] if depth else []))
    rows, nested = [], rng.random() < 0.4
    for number in range(rng.choice([1, 5, 50])):
        values = [element(1) for _ in range(rng.choice([0, 1, 2, 5, 30]))]
        value = rng.choice([values, values, values, element(0), "none"])
        row = {"id": number, "x": {"k": 1, "l": value, "m": [number]} if nested else value, "z": "é"}
        if value == "none":
            del row["x"]
        rows.append(row)
    drops, made = rng.random() < 0.5, []
    for row in rows:
        value = row.get("x", "none")
        inner = value.get("l", "none") if nested and isinstance(value, dict) else value
        if not isinstance(inner, list):
            made.append(row)
        elif not inner:
            made += [] if drops else [row | {"x": row["x"] | {"l": None} if nested else None}]
        else:
            made += [row | {"x": row["x"] | {"l": item} if nested else item} for item in inner]
    words = [options.tabler, "--from", "jsonl", "--explode", "x.l" if nested else "x", "--jsonl", "--quiet"]
    words += ["--explode-empty", "drop"] if drops else []
    words += rng.choice([[], ["--memory", "1K"]])
    if rng.random() < 0.3:
        words += ["--head", "7"]
        made = made[:7]
    ended = harness.run(words, "".join(json.dumps(row, ensure_ascii=rng.random() < 0.5) + "\n" for row in rows))
    found = [] if ended.status else [json.loads(line) for line in ended.output.splitlines()]
    # Keys come in the order of columns.
    if ended.status or [json.dumps(row, sort_keys=True) for row in found] != [json.dumps(row, sort_keys=True) for row in made]:
        return f"{words} {rows}: status {ended.status} {ended.errors} {found}, not {made}"
    return None


def lists(rng, options, folder):
    """Aggregates of lists in a row: what differs, if anything does."""
    rows = []
    for number in range(rng.choice([1, 5, 40])):
        items = [{key: value for key, value in {
            "n": rng.choice([None, 1, 2, -3, 10, 250]), "name": rng.choice([None, "bug", "p1", "Zoë", ""]),
            "l": [rng.randint(0, 9) for _ in range(rng.randint(0, 3))]}.items() if rng.random() < 0.8}
            for _ in range(rng.choice([0, 0, 1, 2, 5, 40]))]
        rows.append({"id": number, "x": rng.choice([items, items, items, None, "x", 5]), "k": {"x": items}})
    at = rng.choice(["x", "k.x"])
    found = []
    for row in rows:
        items = row["x"] if at == "x" else row["k"]["x"]
        walked = items if isinstance(items, list) else []
        numbers = [item["n"] for item in walked if item.get("n") is not None]
        names = [item["name"] for item in walked if item.get("name") is not None]
        parts = [part for item in walked for part in item.get("l", [])]
        isList = isinstance(items, list)
        found.append({
            "id": row["id"], "names": [item.get("name") for item in walked] if isList else None,
            "s": sum(numbers) if numbers else None, "m": max(numbers, default=None), "c": len(numbers),
            "f": names[0] if names else None, "z": names[-1] if names else None, "j": "-".join(names) if isList else None,
            "bug": any(name == "bug" for name in names) if names else False, "big": all(n > 1 for n in numbers),
            "both": sum(1 for item in walked if item.get("name") == "bug" and (item.get("n") or 0) > 1),
            "p": parts if isList else None, "ps": sum(parts) if parts else None, "t": sum(n * 2 + row["id"] for n in numbers) if numbers else None})
    made = "; ".join(f"{name} = {value.replace('@', at + '[*]')}" for name, value in {
        "names": "@.name", "s": "sum(@.n)", "m": "max(@.n)", "c": "count(@.n)", "f": "first(@.name)", "z": "last(@.name)",
        "j": "join(@.name, '-')", "bug": "any(@.name = 'bug')", "big": "all(@.n > 1)",
        "both": "sum(@.name = 'bug' and @.n > 1) ?? 0", "p": "@.l[*]", "ps": "sum(@.l[*])", "t": "sum(@.n * 2 + id)"}.items())
    ended = harness.run(
        [options.tabler, "--from", "jsonl", "--derive", made, "--columns", "!x,!k", "--jsonl", "--quiet"],
        "".join(json.dumps(row) + "\n" for row in rows))
    read_rows = [] if ended.status else [json.loads(line) for line in ended.output.splitlines()]
    if ended.status or read_rows != found:
        place = next((n for n, (one, two) in enumerate(zip(read_rows, found)) if one != two), 0)
        return f"{at}: status {ended.status} {ended.errors} {rows[place]}: {read_rows[place:place + 1]}, not {found[place]}"
    return None


def main():
    options = harness.arguments(__doc__, ("--rounds", 300, "how many pairs of tables, and as many of each kind with lists"))
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        for round in range(options.rounds):
            for ask in [join, explode, lists]:
                rng = random.Random(f"{options.seed} {round} {ask.__name__}")
                difference = ask(rng, options, folder)
                if difference:
                    differences += 1
                    print(f"seed {options.seed}, round {round}: {difference}")
    print(f"seed {options.seed}: {3 * options.rounds} comparisons, {differences} differences")
    sys.exit(1 if differences or not options.rounds else 0)


if __name__ == "__main__":
    main()
