#!/usr/bin/env python3
"""Replays change lists between random tables: `--apply` must give the new table, `--reverse` the old one.

Each round makes two tables and the list of changes between them, from a seed that is printed with every difference. The
list is made here, not by `--diff`. Rows have ids, or are found by their positions. If only cells change, the bytes of all
others must stay. Lists that do not fit, damaged lists and hostile ones must change nothing, and a run that is killed
leaves the old file or the new one.
"""
import bisect
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import harness

TEXTS = ["kiwi", "Ban,ana", 'pur"ple', "two\nlines", "", "日本🍌", " x ", "tab\there", "back\\slash", "=1+2", "true", "007",
         "1.50", "-3", "1e3", "+5", "NA", "null", "[1]", "{}"]
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


class Raw(float):
    """A number of JSON with its digits."""

    def __new__(cls, digits):
        number = super().__new__(cls, digits)
        number.digits = digits
        return number

    def __repr__(self):
        return self.digits


def value_of(text):
    """The value that json has for a cell of csv."""
    if text == "":
        return None
    if text in ("true", "false"):
        return text == "true"
    return Raw(text) if NUMBER.fullmatch(text) else text


def dumped(value, rng=None):
    """JSON with the digits of numbers, sometimes with white space."""
    blank = rng.choice(["", "", " "]) if rng else ""
    if isinstance(value, Raw):
        return value.digits
    if isinstance(value, dict):
        return "{" + ("," + blank).join(f"{dumped(key)}:{blank}{dumped(item, rng)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ("," + blank).join(dumped(item, rng) for item in value) + "]"
    return json.dumps(value, ensure_ascii=rng.random() < 0.3 if rng else False)


def text_of(value):
    """The text of a value as a cell."""
    if value is None:
        return ""
    if isinstance(value, (bool, Raw, dict, list)):
        return dumped(value)
    return value


class Pair:
    """An old table and a new one, each with its columns and rows, and the changes between them."""

    def __init__(self, rng, only_cells=False):
        self.rng, self.only_cells = rng, only_cells
        self.form = rng.choice(["csv", "csv", "tsv", "jsonl"])
        self.has_ids = only_cells or rng.random() < 0.8
        self.keys = (["id", "key"] if rng.random() < 0.3 else ["id"]) if self.has_ids else []
        names = self.keys + ["a", "b", "c d", "é"][: rng.randint(1, 4)]
        rng.shuffle(names)
        self.old_names = names
        self.new_names = list(names)
        if not only_cells and rng.random() < 0.3 and self.has_ids:
            kept = [name for name in names if name in self.keys or rng.random() < 0.7]
            self.new_names = kept + ["new", "newer"][: rng.randint(0, 2)]
            rng.shuffle(self.new_names)
        self.end = rng.choice(["\n", "\n", "\r\n"]) if self.form != "jsonl" else "\n"
        count = rng.choice([0, 1, 3, 12, 40, 300])
        self.serial = 0
        self.old = [self.row(self.old_names) for _ in range(count)]
        self.quotes = {id(row): {name for name in row if rng.random() < 0.2} for row in self.old}
        self.change()

    def cell(self):
        if self.form == "jsonl" and self.rng.random() < 0.3:
            return self.rng.choice([None, True, Raw("1.50"), Raw("12"), [Raw("1"), "x"], {"k": "v, w"}, "12", ""])
        text = self.rng.choice(TEXTS)
        return text if self.form == "jsonl" else value_of(text)

    def row(self, names):
        row = {}
        for name in names:
            if name in self.keys:
                self.serial += 1
                # The parts of a key must not run into each other.
                row[name] = f"k{self.serial}" if name == "id" else self.rng.choice(["", "x", "k1", "1"])
                if self.form != "jsonl":
                    row[name] = value_of(row[name])
            elif self.form != "jsonl" or self.rng.random() < 0.9:
                row[name] = self.cell()
        return row

    def change(self):
        rng = self.rng
        share = rng.choice([0, 0.05, 0.3, 0.9])
        #: The new rows, each with the number of its old row, or None.
        rows = []
        for number, row in enumerate(self.old):
            if not self.only_cells and rng.random() < share / 3:
                continue
            new = {name: row[name] for name in self.new_names if name in row}
            if self.has_ids:
                for name in self.new_names:
                    if name not in self.keys and (name not in self.old_names or rng.random() < share / 2):
                        new[name] = self.cell()
            rows.append((number, new))
        if not self.only_cells:
            for _ in range(rng.choice([0, 1, int(len(rows) * share) + 1])):
                rows.insert(rng.randint(0, len(rows)), (None, self.row(self.new_names)))
            for _ in range(rng.choice([0, 0, 1, int(len(rows) * share / 2) + 1])):
                if rows:
                    moved = rows.pop(rng.randrange(len(rows)))
                    rows.insert(rng.randint(0, len(rows)), moved)
            if rng.random() < 0.05:
                rng.shuffle(rows)
        self.new = [row for _, row in rows]
        self.origins = [number for number, _ in rows]

    def id_of(self, row):
        return {name: row.get(name) for name in self.keys}

    def changes(self):
        """The entries of the list, without the columns."""
        entries = []
        matched = [(place, number) for place, number in enumerate(self.origins) if number is not None]
        staying = longest_ascending([number for _, number in matched])
        for index, (place, number) in enumerate(matched):
            old, new = self.old[number], self.new[place]
            if index not in staying:
                entry = {"op": "move", "from": Raw(str(number + 1)), "to": Raw(str(place + 1))}
                if self.has_ids:
                    entry["id"] = self.id_of(old)
                else:
                    entry["row"] = old
                entries.append(entry)
            cells = {}
            for name in dict.fromkeys(self.old_names + self.new_names):
                if text_of(old.get(name)) != text_of(new.get(name)) or type(old.get(name)) is not type(new.get(name)):
                    cells[name] = {}
                    if name in old:
                        cells[name]["old"] = old[name]
                    if name in new:
                        cells[name]["new"] = new[name]
            if cells:
                entries.append({"op": "update", "id": self.id_of(old), "cells": cells})
        for place, number in enumerate(self.origins):
            if number is None:
                entry = {"op": "insert", "to": Raw(str(place + 1)), "row": self.new[place]}
                entries.append(entry | ({"id": self.id_of(self.new[place])} if self.has_ids else {}))
        for number in set(range(len(self.old))) - set(self.origins):
            entry = {"op": "delete", "from": Raw(str(number + 1)), "row": self.old[number]}
            entries.append(entry | ({"id": self.id_of(self.old[number])} if self.has_ids else {}))
        self.rng.shuffle(entries)
        return entries

    def applied(self, entries):
        """The rows that some of the changes make of the old table; those without a position left are the last."""
        def place(entry):
            if "from" in entry:
                return int(entry["from"]) - 1
            return next(number for number, row in enumerate(self.old) if self.id_of(row) == entry["id"])
        rows = [dict(row) for row in self.old]
        gone, slots = set(), {}
        for entry in entries:
            if entry["op"] == "insert":
                slots[int(entry["to"])] = entry["row"]
                continue
            number = place(entry)
            if entry["op"] == "update":
                for name, cell in entry["cells"].items():
                    rows[number][name] = cell.get("new")
                continue
            gone.add(number)
            if entry["op"] == "move":
                slots[int(entry["to"])] = number
        staying = [row for number, row in enumerate(rows) if number not in gone]
        made = []
        for to in sorted(slots):
            while len(made) < to - 1 and staying:
                made.append(staying.pop(0))
            made.append(rows[slots[to]] if isinstance(slots[to], int) else slots[to])
        return made + staying

    def listed(self, entries, as_array=False):
        columns = {"op": "columns", "old": self.old_names, "new": self.new_names}
        lines = [dumped(entry, self.rng) for entry in [columns, *entries]]
        return "[" + ",\n".join(lines) + "]\n" if as_array else "".join(line + "\n" for line in lines)

    def spelled(self, value, is_quoted=False):
        text = text_of(value)
        if self.form == "tsv":
            return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
        if is_quoted or any(mark in text for mark in ',"\n\r'):
            return '"' + text.replace('"', '""') + '"'
        return text

    def written(self, names, rows, quotes=None):
        if self.form == "jsonl":
            return "".join(dumped({name: row[name] for name in names if name in row}) + "\n" for row in rows).encode()
        mark = "," if self.form == "csv" else "\t"
        lines = [mark.join(self.spelled(name) for name in names)]
        for number, row in enumerate(rows):
            quoted = quotes[number] if quotes else ()
            line = mark.join(self.spelled(row.get(name), name in quoted and row.get(name) is not None) for name in names)
            # An empty line is no record of csv.
            lines.append(line or ('""' if self.form == "csv" else ""))
        return "".join(line + self.end for line in lines).encode()

    def input(self):
        return self.written(self.old_names, self.old, [self.quotes[id(row)] for row in self.old])


def longest_ascending(numbers):
    """The indices of a longest ascending subsequence."""
    tails, places, before = [], [], []
    for index, number in enumerate(numbers):
        place = bisect.bisect_left(tails, number)
        before.append(places[place - 1] if place else None)
        tails[place:place + 1], places[place:place + 1] = [number], [index]
    kept, index = set(), places[-1] if places else None
    while index is not None:
        kept.add(index)
        index = before[index]
    return kept


class Comparison:
    def __init__(self, program, seed):
        self.program, self.seed = program, seed
        self.count = self.differences = 0
        self.folder = tempfile.TemporaryDirectory()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run(self, words, data=None):
        self.count += 1
        return harness.run([self.program, *words], data, self.folder.name)

    def differ(self, round, what, found, expected):
        self.differences += 1
        if self.differences <= 10:
            found, expected = repr(found), repr(expected)
            start = max(len(os.path.commonprefix([found, expected])) - 60, 0)
            print(f"seed {self.seed}, round {round}: {what}\n  tabler {found[start:start + 300]}\n  model  {expected[start:start + 300]}")
            for name in os.listdir(self.folder.name):
                keep = f"/tmp/apply-{self.seed}-{round}-{name}"
                with open(keep, "wb") as file:
                    file.write(self.read(name))

    def rows(self, pair, data):
        """The names and rows of an output, null being the same as nothing."""
        if pair.form == "jsonl":
            rows = [json.loads(line, parse_int=Raw, parse_float=Raw) for line in data.decode().splitlines()]
            return [], [{name: (type(value) is str, text_of(value)) for name, value in row.items() if value is not None} for row in rows]
        ended = harness.run([self.program, "--from", pair.form, "--jsonl", "--no-config"], data)
        header = harness.run([self.program, "--from", pair.form, "--csv", "--head", "0"], data).output
        rows = [json.loads(line, parse_int=Raw, parse_float=Raw) for line in ended.output.splitlines()]
        return harness.csv_rows(header)[:1], [{name: text_of(value) for name, value in row.items() if value is not None} for row in rows]

    def expected(self, pair, names, rows):
        if pair.form == "jsonl":
            return [], [{name: (type(row[name]) is str, text_of(row[name])) for name in names if row.get(name) is not None} for row in rows]
        return [names], [{name: text_of(row[name]) for name in names if text_of(row.get(name)) != ""} for row in rows]

    def check(self, round, pair):
        rng, form = pair.rng, pair.form
        entries = pair.changes()
        table = self.write("old." + form, pair.input())
        list = self.write("changes.jsonl", pair.listed(entries, rng.random() < 0.3))
        memory = rng.choice([[], ["--memory", "1M"]])
        words = ["--from", form, "--" + form, *memory]
        new = self.expected(pair, pair.new_names, pair.new)
        old = self.expected(pair, pair.old_names, pair.old)
        way = rng.randrange(6)
        if way == 0:
            ended = self.run([*words, "--apply", list], self.read("old." + form))
            result = ended.bytes
        elif way == 1:
            ended = self.run([*words, "--apply", "-", table], self.read("changes.jsonl"))
            result = ended.bytes
        elif way == 2:
            ended = self.run([*words, "--apply", list, table, "-o", self.path("made." + form)])
            result = self.read("made." + form) if ended.status == 0 else b""
        elif way == 3:
            ended = self.run([*words, "--apply", list, table, "--rejects", self.path("rejects.jsonl")])
            result = ended.bytes
            if ended.status == 0 and self.read("rejects.jsonl"):
                self.differ(round, f"{words} --rejects", self.read("rejects.jsonl"), b"")
        elif way == 4 and pair.new and pair.old and any(name in pair.new_names for name in pair.old_names):
            ended = self.run([*memory, "--apply", list, table, "-i"])
            result = self.read("old." + form)
        else:
            ended = self.run([*words, "--apply", list, table])
            result = ended.bytes
        if ended.status != 0 or self.rows(pair, result) != new:
            return self.differ(round, f"{words} way {way}: status {ended.status} {ended.errors}", self.rows(pair, result), new)
        if pair.only_cells and form != "jsonl":
            quotes = []
            for place, row in enumerate(pair.new):
                source = pair.old[pair.origins[place]]
                # What stood in quotes, or needed them, goes back into them.
                quotes.append({name for name in row if source.get(name) is not None
                               and pair.spelled(source.get(name), name in pair.quotes[id(source)])[:1] == '"'})
            bytes = pair.written(pair.new_names, pair.new, quotes)
            if result != bytes:
                return self.differ(round, f"{words} way {way}: bytes", result, bytes)
        made = self.write("new." + form, result)
        ended = self.run([*words, "--apply", list, "--reverse", made])
        if ended.status != 0 or self.rows(pair, ended.bytes) != old:
            self.differ(round, f"{words} --reverse: status {ended.status} {ended.errors}", self.rows(pair, ended.bytes), old)
        if pair.new and rng.random() < 0.5:
            ended = self.run([*words, "--apply", list, "--head", "2", self.write("old." + form, pair.input())])
            first = self.expected(pair, pair.new_names, pair.new[:2])
            if ended.status != 0 or self.rows(pair, ended.bytes) != first:
                self.differ(round, f"{words} --head 2: status {ended.status} {ended.errors}", self.rows(pair, ended.bytes), first)

    def misfits(self, round, pair):
        """Lists that do not fit: nothing is written, or what fits and the rest elsewhere."""
        rng, form = pair.rng, pair.form
        entries = pair.changes()
        wrong = [entry for entry in entries if entry["op"] in ("update", "delete")]
        if not wrong:
            return
        damaged = rng.sample(wrong, rng.randint(1, min(3, len(wrong))))
        text = pair.listed(entries)
        lines = text.splitlines()
        for entry in damaged:
            place = 1 + entries.index(entry)
            copy = json.loads(lines[place], parse_int=Raw, parse_float=Raw)
            cells = copy["cells"] if copy["op"] == "update" else {name: copy["row"] for name in copy["row"]}
            name = rng.choice([name for name in cells if name not in pair.keys] or [None])
            if name is None:
                return
            if copy["op"] == "update":
                copy["cells"][name]["old"] = "something else"
            else:
                copy["row"][name] = "something else"
            lines[place] = dumped(copy)
        list = self.write("changes.jsonl", "".join(line + "\n" for line in lines))
        table = self.write("old." + form, pair.input())
        words = ["--from", form, *rng.choice([[], ["--memory", "1M"]]), "--apply", list, table]
        for more in [["--" + form], ["--" + form, "-o", self.path("made." + form)], ["-i"], ["--grid"], ["--html"]]:
            if os.path.exists(self.path("made." + form)):
                os.remove(self.path("made." + form))
            ended = self.run([*words, *more])
            said = ended.errors.count(": nothing is written: ") == 1
            if (ended.status, ended.bytes, self.read("old." + form), said) != (1, b"", pair.input(), True) or os.path.exists(self.path("made." + form)):
                return self.differ(round, f"{words} {more}: {ended.errors}", (ended.status, ended.bytes), (1, b""))
        ended = self.run([*words, "--" + form, "--rejects", self.path("rejects.jsonl")])
        kept = self.read("rejects.jsonl").decode().splitlines()
        expected = sorted(lines[1 + entries.index(entry)] for entry in damaged)
        found = sorted(re.sub(r',"ours":.*\}$', "}", line) for line in kept)
        if ended.status != 1 or len(kept) != len(damaged) or found != expected:
            self.differ(round, f"{words} --rejects: {ended.status} {ended.errors}", found, expected)
        fitting = self.expected(pair, pair.new_names, pair.applied([entry for entry in entries if entry not in damaged]))
        if self.rows(pair, ended.bytes) != fitting:
            self.differ(round, f"{words} --rejects", self.rows(pair, ended.bytes), fitting)
        for line in kept:
            if "ours" not in json.loads(line):
                self.differ(round, f"{words} --rejects", line, "ours")

    def hostile(self, round, pair):
        """Damaged lists: a status, never a trap, and a file that keeps its bytes."""
        rng, form = pair.rng, pair.form
        data = bytearray(pair.listed(pair.changes(), rng.random() < 0.3).encode())
        for _ in range(rng.randint(1, 4)):
            kind = rng.randrange(4)
            place = rng.randrange(len(data) + 1)
            if kind == 0:
                del data[place:place + rng.choice([1, 5, 50])]
            elif kind == 1:
                data[place:place] = rng.choice([b"{", b"}", b'"', b",", b"9", b"\n", b"null", b'"op":"move",', b"\xff", b"-1", b"1e9", b"[]"])
            elif kind == 2:
                other = rng.randrange(len(data) + 1)
                data[place:place] = data[other:other + rng.choice([10, 200])]
            else:
                data = data.replace(rng.choice([b'"id"', b'"to"', b'"from"', b'"row"', b'"old"', b"insert", b"delete", b"1", b"2"]),
                                    rng.choice([b'"id"', b'"to"', b'"op"', b'"view"', b"move", b"update", b"1000000000", b"1"]), rng.choice([1, 1, -1]))
        list = self.write("changes.jsonl", bytes(data))
        table = self.write("old." + form, pair.input())
        for more in [["-i"], ["--" + form], ["--" + form, "--rejects", self.path("rejects.jsonl")], ["--" + form, "--reverse"]]:
            ended = self.run(["--from", form, "--apply", list, table, *more])
            if ended.status not in (0, 1, 2, 3):
                self.differ(round, f"{more}: {ended.errors}", ended.status, "0 to 3")
            if more == ["-i"] and ended.status != 0 and self.read("old." + form) != pair.input():
                self.differ(round, f"{more}: {ended.errors}", self.read("old." + form), pair.input())
            self.write("old." + form, pair.input())
            if ended.status != 0 and ended.bytes and "--rejects" not in more:
                self.differ(round, f"{more}: {ended.errors}", ended.bytes, b"")

    def kill(self, round):
        """A run that is killed leaves the old file or the new one."""
        rng = random.Random(f"{self.seed} kill {round}")
        rows = [[f"k{number}", rng.choice(["a", "b,c"]), str(rng.randrange(1000))] for number in range(20_000)]
        old = harness.csv_text([["id", "t", "n"], *rows]).encode()
        entries, new = [{"op": "columns", "old": ["id", "t", "n"], "new": ["id", "t", "n"]}], []
        for row in rows:
            if rng.random() < 0.1:
                entries.append({"op": "update", "id": {"id": row[0]}, "cells": {"n": {"old": Raw(row[2]), "new": Raw("-1")}}})
                row = [*row[:2], "-1"]
            new.append(row)
        if rng.random() < 0.5:
            entries.append({"op": "move", "id": {"id": rows[-1][0]}, "from": Raw(str(len(rows))), "to": Raw("1")})
            new.insert(0, new.pop())
        new = harness.csv_text([["id", "t", "n"], *new]).encode()
        table, list = self.write("old.csv", old), self.write("changes.jsonl", "".join(dumped(entry) + "\n" for entry in entries))
        sent = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        self.count += 1
        running = subprocess.Popen([self.program, table, "--apply", list, "-i"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder.name)
        time.sleep(rng.random() * self.longest)
        running.send_signal(sent)
        running.wait()
        left = [name for name in os.listdir(self.folder.name) if name.startswith(".tabler-")]
        if self.read("old.csv") not in (old, new) or left and sent != signal.SIGKILL:
            self.differ(round, f"killed by {sent}, left {left}", len(self.read("old.csv")), len(old))
        for name in left:
            os.remove(self.path(name))

    longest = 0.5

    def redirect(self, round):
        """What goes to a file by the shell is all of the new table, or nothing: lists that fit, that do not, and signals."""
        rng = random.Random(f"{self.seed} redirect {round}")
        count = rng.choice([3, 200_000])
        rows = [[str(number), str(number * 2)] for number in range(count)]
        fits = rng.random() < 0.4
        old = harness.csv_text([["id", "n"], *rows]).encode()
        changed = [[name, "-1" if name == rows[-1][0] else n] for name, n in rows]
        new = harness.csv_text([["id", "n"], *changed]).encode()
        entry = {"op": "update", "id": {"id": Raw(rows[-1][0])}, "cells": {"n": {"old": Raw(rows[-1][1] if fits else "7"), "new": Raw("-1")}}}
        table, list = self.write("old.csv", old), self.write("changes.jsonl", dumped(entry) + "\n")
        before = rng.choice([b"", b"before\n"])
        sent = rng.choice([None, None, signal.SIGTERM, signal.SIGINT])
        self.count += 1
        with open(self.path("out"), "ab" if rng.random() < 0.3 else "wb") as file:
            file.truncate(0)
            file.write(before)
            file.flush()
            errors = file if rng.random() < 0.3 else subprocess.DEVNULL
            running = subprocess.Popen([self.program, table, "--csv", "--apply", list], stdout=file, stderr=errors, cwd=self.folder.name)
            if sent:
                time.sleep(rng.random() * self.longest / 4)
                running.send_signal(sent)
            status = running.wait()
        written = self.read("out")
        said = written[len(before):] if errors == file else b""
        allowed = [before + new] if status == 0 else [before, before + said if said.startswith(b"tabler: ") else before]
        if written not in allowed or status == 0 and not fits:
            self.differ(round, f"redirected, status {status}", len(written), [len(one) for one in allowed])


def main():
    options = harness.arguments(__doc__, ("--rounds", 300, "how many tables"), ("--kills", 20, "how many runs are killed"))
    comparison = Comparison(options.tabler, options.seed)
    for round in range(options.rounds):
        rng = random.Random(f"{options.seed} {round}")
        pair = Pair(rng, only_cells=rng.random() < 0.3)
        comparison.check(round, pair)
        comparison.misfits(round, pair)
        comparison.hostile(round, pair)
    for round in range(options.kills):
        comparison.kill(round)
        comparison.redirect(round)
    print(f"seed {options.seed}: {comparison.count} comparisons, {comparison.differences} differences")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
