#!/usr/bin/env python3
"""Compares expressions, groups, dates and patterns with SQLite, DuckDB and Python.

Each round makes a table and expressions at random, from a seed that is printed with every difference. The values that the
program derives, the rows that it keeps and the groups that it makes must be those of the same expression in SQLite, and in
DuckDB where its module is installed (`pip install duckdb`). Dates are compared with `datetime` and `zoneinfo`, patterns with
`re` for ASCII, in the syntax that both have.

What differs on purpose is not made here: texts that look like numbers compare as numbers, and division by zero is null.
Numbers are whole or have two binary places, so that doubles hold them exactly.
"""
import csv
import datetime
import io
import json
import math
import random
import re
import sqlite3
import sys
import tempfile
import zoneinfo

import harness

try:
    import duckdb
except ImportError:
    duckdb = None

# The columns of the table, and their types in SQL.
SQL_TYPES = {"id": "bigint", "i": "bigint", "j": "bigint", "q": "double", "t": "varchar", "s": "varchar", "u": "date"}
COLUMNS = list(SQL_TYPES)


def table(rng, count=60):
    """Rows of all columns; None is null."""
    texts = ["kiwi", "Apple", "naïve", "日本", "a b", "x%y", "z_z", "é", "🇩🇪", "ß", "Kiwi", "kiwis"]
    plain = ["red", "green", "Blue", "dark red", "RED", "lime", "a-b"]
    rows = []
    for number in range(count):
        date = datetime.date(2024, 1, 1) + datetime.timedelta(days=rng.randrange(900))
        row = [number, rng.randint(-6, 6), rng.randint(-1000, 1000), rng.randint(-40, 40) / 4, rng.choice(texts),
               rng.choice(plain), date.isoformat()]
        rows.append([value if place == 0 or rng.random() > 0.12 else None for place, value in enumerate(row)])
    return rows


class Maker:
    """Makes an expression as three spellings: the program's, SQLite's, DuckDB's."""

    def __init__(self, rng):
        self.rng = rng

    def same(self, text):
        return (text, text, text)

    def join(self, form, *parts):
        """The same form in all three, with its parts filled in."""
        return tuple(form.format(*(part[place] for part in parts)) for place in range(3))

    def number(self, depth=0):
        pick = self.rng.random()
        if depth > 3 or pick < 0.25:
            return self.same(self.rng.choice(["i", "j", "q", "i", "q"]))
        if pick < 0.35:
            return self.same(self.rng.choice(["0", "1", "2", "7", "0.5", "12.25", "100"]))
        if pick < 0.65:
            return self.join("({} " + self.rng.choice("+-*") + " {})", self.number(depth + 2), self.number(depth + 1))
        if pick < 0.7:
            return self.join("(- {})", self.number(depth + 1))
        if pick < 0.75:
            return self.join("abs({})", self.number(depth + 1))
        if pick < 0.8:
            return self.join("length({})", self.text(depth + 1))
        if pick < 0.84:
            left, right = self.number(depth + 2), self.number(depth + 2)
            sql = "(cast({} as double precision) / nullif({}, 0))"
            return (f"({left[0]} / {right[0]})", *(sql.format(left[place], right[place]) for place in (1, 2)))
        if pick < 0.87:
            return self.join("(i % {})", self.same(self.rng.choice(["2", "3", "7"])))
        if pick < 0.91:
            return self.join("coalesce({}, {})", self.number(depth + 1), self.number(depth + 1))
        if pick < 0.96:
            return self.join(
                "(case when {} then {} else {} end)", self.truth(depth + 1), self.number(depth + 1), self.number(depth + 1))
        part, sql = self.rng.choice([("month", "%m"), ("year", "%Y"), ("day", "%d"), ("yearday", "%j")])
        return (f"{part}(u)", f"cast(strftime('{sql}', u) as integer)", f"{'dayofyear' if part == 'yearday' else part}(u)")

    def text(self, depth=0):
        pick = self.rng.random()
        if depth > 3 or pick < 0.4:
            return self.same(self.rng.choice("tts"))
        if pick < 0.5:
            return self.same(self.rng.choice(["'kiwi'", "'x'", "'日'", "'a'"]))
        if pick < 0.65:
            left, right = self.text(depth + 1), self.text(depth + 1)
            return tuple(f"({left[place]} {sign} {right[place]})" for place, sign in enumerate(["++", "||", "||"]))
        if pick < 0.75:
            return self.join(self.rng.choice(["upper(s)", "lower(s)", "trim({})"]), self.text(depth + 1))
        if pick < 0.85:
            start, count = self.rng.randint(1, 4), self.rng.randint(0, 4)
            return self.join(f"substr({{}}, {start}, {count})", self.text(depth + 1))
        if pick < 0.92:
            return self.join("replace({}, 'i', 'II')", self.text(depth + 1))
        return self.join("coalesce({}, 'none')", self.text(depth + 1))

    def truth(self, depth=0):
        pick = self.rng.random()
        comparison = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
        if depth > 3 or pick < 0.3:
            return self.join("({} " + comparison + " {})", self.number(depth + 1), self.number(depth + 1))
        if pick < 0.4:
            literal = self.same(self.rng.choice(["'kiwi'", "'red'", "'b'", "'日'"]))
            return self.join("({} " + comparison + " {})", self.text(depth + 1), literal)
        if pick < 0.48:
            date = self.rng.choice(["2024-07-01", "2025-01-15", "2025-12-31"])
            return (f"(u {comparison} date '{date}')", f"(u {comparison} '{date}')", f"(u {comparison} date '{date}')")
        if pick < 0.65:
            return self.join("({} " + self.rng.choice(["and", "or"]) + " {})", self.truth(depth + 1), self.truth(depth + 1))
        if pick < 0.72:
            return self.join("(not {})", self.truth(depth + 1))
        if pick < 0.8:
            return self.join(self.rng.choice(["({} is null)", "({} is not null)"]), self.number(depth + 1))
        if pick < 0.86:
            return self.join("({} between {} and {})", *(self.number(depth + 2) for _ in range(3)))
        if pick < 0.93:
            return self.join("({} in ({}, 1, 2.5))", self.number(depth + 1), self.number(depth + 2))
        pattern = self.rng.choice(["'k%'", "'%i%'", "'_iwi'", "'%'", "'red'", "'%日%'"])
        return self.join("({} " + self.rng.choice(["like", "not like"]) + f" {pattern})", self.text(depth + 1))


class Engine:
    """A database with the table in it."""

    def __init__(self, name, rows):
        self.name = name
        self.place = 1 if name == "SQLite" else 2
        if name == "SQLite":
            self.base = sqlite3.connect(":memory:")
            self.base.execute("pragma case_sensitive_like = 1")
        else:
            self.base = duckdb.connect()
        types = ", ".join(
            f"{column} {'text' if name == 'SQLite' and column == 'u' else kind}" for column, kind in SQL_TYPES.items())
        self.base.execute(f"create table data ({types})")
        self.base.executemany(f"insert into data values ({','.join('?' * len(COLUMNS))})", rows)

    def rows(self, query):
        """The rows of a query; None where whole numbers outgrow the engine's."""
        try:
            return [tuple(row) for row in self.base.execute(query).fetchall()]
        except Exception as error:
            if "Out of Range" in str(error) or "overflow" in str(error):
                return None
            raise


def alike(ours, theirs):
    """Whether two values are the same; a double may differ in its last places."""
    if isinstance(theirs, bool) or isinstance(ours, bool):
        return ours is not None and theirs is not None and bool(ours) == bool(theirs)
    if theirs is None or ours is None:
        return theirs is None and ours is None
    if isinstance(theirs, (int, float)) or type(theirs).__name__ == "Decimal":
        if not isinstance(ours, (int, float)):
            return False
        return math.isclose(float(ours), float(theirs), rel_tol=1e-9, abs_tol=1e-9)
    return str(ours) == str(theirs)


class Comparison:
    def __init__(self, program, seed):
        self.program = program
        self.seed = seed
        self.count = 0
        self.differences = 0
        self.folder = tempfile.TemporaryDirectory(prefix="tabler-compare-")

    def run(self, words, data):
        ended = harness.run([self.program, *words], data, self.folder.name)
        if ended.status not in (0, 1):
            raise SystemExit(f"{words}: status {ended.status}: {ended.errors}")
        return ended.output

    def objects(self, words, data):
        return [json.loads(line) for line in self.run([*words, "--jsonl"], data).splitlines()]

    def differ(self, what, ours, theirs, engine):
        self.differences += 1
        if self.differences <= 20:
            print(f"seed {self.seed}: {what}\n  tabler {ours!r}\n  {engine} {theirs!r}")

    # ------------------------------------------------------------------------------------------------ values and rows

    def expressions(self, rng):
        rows = table(rng)
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(["" if value is None else value for value in row] for row in rows)
        data = stream.getvalue()
        engines = [Engine("SQLite", rows)] + ([Engine("DuckDB", rows)] if duckdb else [])
        maker = Maker(rng)
        kinds = [rng.choice([maker.number, maker.number, maker.text, maker.truth]) for _ in range(12)]
        made = [kind() for kind in kinds]
        words = [word for place, spelled in enumerate(made) for word in ("--derive", f"x{place} = {spelled[0]}")]
        ours = self.objects([*words, "--columns", ",".join(f"x{place}" for place in range(len(made)))], data)
        for engine in engines:
            for place, spelled in enumerate(made):
                theirs = engine.rows(f"select {spelled[engine.place]} from data order by id")
                if theirs is None:
                    continue
                self.count += 1
                for row, (own, (value,)) in enumerate(zip(ours, theirs, strict=True)):
                    own = own.get(f"x{place}")
                    # An empty text that is derived is written as such, and one of SQLite's is no null either.
                    if kinds[place] == maker.text and value == "" and own in ("", None):
                        continue
                    if kinds[place] == maker.text and isinstance(own, (int, float)):
                        own = str(own)
                    if not alike(own, value):
                        self.differ(f"{spelled[0]} in row {row} {rows[row]}", own, value, engine.name)
                        break
        for _ in range(6):
            condition = maker.truth()
            kept = [row["id"] for row in self.objects(["--filter", condition[0], "--columns", "id"], data)]
            for engine in engines:
                theirs = engine.rows(f"select id from data where {condition[engine.place]} order by id")
                if theirs is None:
                    continue
                self.count += 1
                theirs = [row[0] for row in theirs]
                if [int(number) for number in kept] != theirs:
                    self.differ(f"--filter {condition[0]}", kept, theirs, engine.name)
        if self.hasGroups:
            self.groups(rng, data, engines)

    def groups(self, rng, data, engines):
        keys = rng.sample(["i", "s", "u", "t"], rng.randint(1, 2))
        column = rng.choice(["q", "j", "i"])
        aggregates = {"n": "count()", "c": f"count({column})", "a": f"sum({column})", "b": f"min({column})",
                      "d": f"max({column})", "m": f"mean({column})"}
        words = ["--group-by", ",".join(keys), "--aggregate", ",".join(f"{name} = {call}" for name, call in aggregates.items())]
        if rng.random() < 0.5:
            words += ["--memory", "1K"]
        ours = self.objects(words, data)
        sql = ", ".join(f"{call.replace('count()', 'count(*)').replace('mean(', 'avg(')}" for call in aggregates.values())
        for engine in engines:
            self.count += 1
            theirs = engine.rows(
                f"select {', '.join(keys)}, {sql} from data group by {', '.join(keys)} order by min(id)")
            found = [[row.get(name) for name in [*keys, *aggregates]] for row in ours]
            if len(found) != len(theirs) or not all(
                    alike(own, value if not isinstance(value, datetime.date) else value.isoformat())
                    for row, other in zip(found, theirs) for own, value in zip(row, other)):
                self.differ(" ".join(words), found[:4], theirs[:4], engine.name)

    @property
    def hasGroups(self):
        if not hasattr(self, "_hasGroups"):
            self._hasGroups = "--group-by" in harness.run([self.program, "--help"]).output
        return self._hasGroups

    # ---------------------------------------------------------------------------------------------------------- dates

    ZONES = ("Europe/Berlin America/New_York Asia/Kolkata Australia/Lord_Howe America/St_Johns Pacific/Apia Africa/Cairo "
             "Asia/Tehran America/Sao_Paulo Europe/London Asia/Kathmandu Pacific/Chatham Antarctica/Troll Asia/Tokyo "
             "America/Caracas Europe/Moscow Africa/Casablanca America/Havana Asia/Pyongyang UTC").split()

    def dates(self, rng, count):
        instants = [datetime.datetime(1971, 1, 1, tzinfo=datetime.timezone.utc)
                    + datetime.timedelta(seconds=rng.randrange(66 * 365 * 86400)) for _ in range(count)]
        data = "x\n" + "".join(instant.strftime("%Y-%m-%dT%H:%M:%SZ") + "\n" for instant in instants)
        for zone in self.ZONES:
            known = zoneinfo.ZoneInfo(zone)
            words = ["--derive", f"z = to_zone(x, '{zone}'); e = epoch(z); w = strftime(z, '%a %j %H:%M'); v = week(z)"]
            for instant, row in zip(instants, self.objects(words, data), strict=True):
                self.count += 1
                local = instant.astimezone(known)
                expected = (local.isoformat().replace("+00:00", "Z"), int(instant.timestamp()), local.strftime("%a %j %H:%M"),
                            local.isocalendar().week)
                found = (row["z"].replace("+00:00", "Z"), row["e"], row["w"], row["v"])
                if found != expected:
                    self.differ(f"{instant} in {zone}", found, expected, "Python")
                    break

    # ------------------------------------------------------------------------------------------------------- patterns

    def patterns(self, rng):
        def atom(depth):
            pick = rng.random()
            if pick < 0.45:
                return rng.choice("abcxé1 ")
            if pick < 0.6:
                return rng.choice(["[abc]", "[^a]", "[a-c1]", r"\d", r"\w", r"\s", r"\S", "."])
            if pick < 0.75 and depth < 3:
                return "(" + sequence(depth + 1) + ")"
            if pick < 0.8 and depth < 3:
                return "(?:" + sequence(depth + 1) + ")"
            return rng.choice(["a", "b", r"\.", r"\b", "^", "$"])

        def sequence(depth=0):
            parts = []
            for _ in range(rng.randint(1, 3)):
                part = atom(depth)
                if part not in ("^", "$", r"\b") and rng.random() < 0.3:
                    part += rng.choice(["*", "+", "?", "{1,2}", "*?", "+?"])
                parts.append(part)
            text = "".join(parts)
            return text + "|" + sequence(depth + 1) if depth < 2 and rng.random() < 0.15 else text

        texts = ["".join(rng.choice("abcx1é .") for _ in range(rng.randint(1, 9))).strip() or "a" for _ in range(60)]
        data = "x\n" + "".join(f'"{text}"\n' for text in texts)
        pattern = sequence()
        known = re.compile(pattern, re.ASCII)
        self.count += 1
        kept = self.run(["--filter", "x =~ /" + pattern + "/", "--csv"], data).splitlines()[1:]
        kept = [text.strip('"') for text in kept]
        expected = [text for text in texts if known.search(text)]
        if kept != expected:
            self.differ(f"=~ {pattern}", sorted({*kept} - {*expected}), sorted({*expected} - {*kept}), "Python")


def main():
    options = harness.arguments(
        __doc__, ("--rounds", 40, "how many tables, each with some twenty expressions"),
        ("--need-duckdb", False, "end with status 2 where DuckDB is not installed"))
    if duckdb is None:
        if options.need_duckdb:
            sys.exit(2)
        print("DuckDB is not installed: compared with SQLite and Python only")
    comparison = Comparison(options.tabler, options.seed)
    for round in range(options.rounds):
        comparison.expressions(random.Random(f"{options.seed} {round}"))
        for _ in range(10):
            comparison.patterns(random.Random(f"{options.seed} {round} {_}"))
    comparison.dates(random.Random(options.seed), 500)
    print(f"seed {options.seed}: {comparison.count} comparisons, {comparison.differences} differences")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
