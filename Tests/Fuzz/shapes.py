#!/usr/bin/env python3
"""Compares summaries, pivots, unpivoted tables, filtered groups and columns over rows in order with DuckDB.

Each round makes a table from a seed that is printed with every difference: groups, values to pivot by, and numbers as
integers, big integers or decimals, with nulls and repeats. It is read from a file and from a pipe, with next to no memory.
DuckDB answers the same questions about the same rows; numbers are compared by value, those that it has as doubles nearly.
"""
import csv
import decimal
import io
import os
import random
import sys
import tempfile

import duckdb
import harness

NUMBERS = {
    "int": lambda rng: str(rng.randint(-50, 50)),
    "big": lambda rng: str(rng.choice([2**53 + 1, 2**53 + 2, -2**60, 10**17 + 1, 7])),
    "decimal": lambda rng: f"{rng.randint(-9999, 9999) / 100:.2f}",
}


def table(rng):
    """Rows of an id, a group, a value to pivot by, and two numbers."""
    kind = rng.choice(list(NUMBERS))
    def maybe(text):
        return "" if rng.random() < 0.12 else text
    return kind, [[str(number), maybe(rng.choice("abcd")), maybe(rng.choice(["u", "v", "日本", "x y", 'q"r'])),
                   maybe(NUMBERS[kind](rng)), maybe(NUMBERS["int"](rng))] for number in range(rng.choice([1, 2, 5, 30, 200]))]


def alike(one, two, isNear):
    """Whether two cells say the same."""
    two = "" if two is None else str(two)
    if one == two:
        return True
    try:
        a, b = decimal.Decimal(one), decimal.Decimal(two)
    except decimal.InvalidOperation:
        return False
    return a == b or isNear and abs(a - b) <= decimal.Decimal("1e-9") * max(abs(a), abs(b), 1)


def questions(rng, base, rows):
    """Options, the query that asks the same, and the numbers of the columns that DuckDB computes as doubles."""
    values = [row[0] for row in base.execute("SELECT p FROM t GROUP BY p ORDER BY min(id)").fetchall()]
    def only(value):
        return "p IS NULL" if value is None else "p = '" + value.replace("'", "''") + "'"
    sums = ", ".join(f"sum(x) FILTER (WHERE {only(value)})" for value in values)
    counts = ", ".join(f"count(*) FILTER (WHERE {only(value)})" for value in values)
    limit = rng.randint(-60, 60)
    yield ["--group-by", "g", "--pivot", "p", "--aggregate", "s = sum(x)"], f"SELECT g, {sums} FROM t GROUP BY g ORDER BY min(id)", ()
    yield ["--group-by", "g", "--pivot", "p", "--pivot-total", "all"], f"SELECT g, {counts}, count(*) FROM t GROUP BY g ORDER BY min(id)", None
    yield ["--group-by", "g", "--aggregate", "n = count(), s = sum(y), m = max(x), k = n * 2", "--having", f"s > {limit}"], (
        f"SELECT g, count(*), sum(y), max(x), 2 * count(*) FROM t GROUP BY g HAVING sum(y) > {limit} ORDER BY min(id)"), ()
    yield ["--unpivot", "p,y to k, v"], (
        "SELECT id, g, x, k, v FROM (SELECT id, g, x, 1 place, 'p' k, p v FROM t UNION ALL SELECT id, g, x, 2, 'y', CAST(y AS VARCHAR) FROM t) "
        "ORDER BY id, place"), ()
    yield ["--sort", "id", "--compute", "r = running(y), q = prior(y), n = next(y, 2), k = rank(x), s = share(y)", "-c", "id,r,q,n,k,s"], (
        "SELECT id, CASE WHEN y IS NOT NULL THEN sum(y) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) END, lag(y) OVER (ORDER BY id), "
        "lead(y, 2) OVER (ORDER BY id), CASE WHEN x IS NOT NULL THEN rank() OVER (ORDER BY x DESC NULLS LAST) END, "
        "CASE WHEN (SELECT sum(y) FROM t) <> 0 THEN y / (SELECT CAST(sum(y) AS DOUBLE) FROM t) END FROM t ORDER BY id"), (5,)
    yield ["--summary", "-c", "column,rows,missing,distinct,min,max,mean,median"], " UNION ALL ".join(
        f"SELECT * FROM (SELECT '{name}' c, count(*) r, count(*) FILTER (WHERE {name} IS NULL) m, count(DISTINCT {name}) d, "
        f"CAST(min({name}) AS VARCHAR) a, CAST(max({name}) AS VARCHAR) b, "
        + ("NULL mean, NULL med" if name in "gp" else f"avg(CAST({name} AS DOUBLE)) mean, median(CAST({name} AS DOUBLE)) med") + " FROM t)"
        for name in ["id", "g", "p", "y"]), (6, 7)


def main():
    options = harness.arguments(__doc__, ("--rounds", 300, "how many tables"))
    differences = comparisons = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        for round in range(options.rounds):
            rng = random.Random(f"{options.seed} {round}")
            kind, rows = table(rng)
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([["id", "g", "p", "x", "y"]] + rows)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text.getvalue())
            base = duckdb.connect()
            numeric = "DECIMAL(38, 2)" if kind == "decimal" else "HUGEINT"
            base.execute(f"CREATE TABLE t (id INTEGER, g VARCHAR, p VARCHAR, x {numeric}, y INTEGER)")
            base.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [[cell or None for cell in row] for row in rows])
            for words, query, near in questions(rng, base, rows):
                expected = base.execute(query).fetchall()
                more = rng.choice([[], ["--memory", "1K"]])
                by_pipe = rng.random() < 0.5
                ended = harness.run([options.tabler, *words, *more, "--csv", "--quiet"] + ([] if by_pipe else [path]),
                                    text.getvalue() if by_pipe else None)
                found = [row for row in csv.reader(io.StringIO(ended.output))][1:]
                if words[0] == "--summary":
                    found = [row for row in found if row[0] != "x"]
                    # A column without values shows blanks.
                    expected = [[cell if cell != 0 or place != 3 else "" for place, cell in enumerate(row)] for row in expected]
                if near is None:
                    # A cell of a pivot without rows may be blank.
                    expected = [[cell if cell != 0 else "" for cell in row] for row in expected]
                    found = [[cell if cell != "0" else "" for cell in row] for row in found]
                    near = ()
                comparisons += 1
                same = len(found) == len(expected) and all(
                    len(one) == len(two) and all(alike(a, b, place in near) for place, (a, b) in enumerate(zip(one, two)))
                    for one, two in zip(found, expected))
                if ended.status or not same:
                    differences += 1
                    place = next((n for n, (one, two) in enumerate(zip(found, expected))
                                  if len(one) != len(two) or not all(alike(a, b, p in near) for p, (a, b) in enumerate(zip(one, two)))), None)
                    print(f"seed {options.seed}, round {round}, {kind}: {words} {more}: status {ended.status} {ended.errors}"
                          f"{len(found)} rows, not {len(expected)}; " + (f"{found[place]}, not {list(expected[place])}" if place is not None else ""))
    print(f"seed {options.seed}: {comparisons} comparisons, {differences} differences")
    sys.exit(1 if differences or not comparisons else 0)


if __name__ == "__main__":
    main()
