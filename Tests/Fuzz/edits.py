#!/usr/bin/env python3
"""Compares edits of random tables with a model in Python, byte by byte.

Each round makes a table, some edits (--set, --derive, --delete with their guards) and some rules (--validate), from a seed
that is printed with every difference. The model knows how each cell is spelled: what no edit touched must keep its bytes, its quotes and the end
of its record; a changed cell says what `decimal` computes, in quotes where the old one had them or the new one needs them.
The same edits are made of a pipe, of a file, with next to no memory, sorted and cut; of records of JSON, members, their
order and the digits of their numbers are compared.
"""
import decimal
import json
import os
import random
import re
import sys
import tempfile

import harness

TEXTS = ["kiwi", "Ban,ana", "a;b", 'pur"ple', "two\nlines", "", "日本🍌", " x ", "tab\there", "back\\slash", "=1+2", "fig", "fig", "red"]
NUMBERS = ["1", "0", "-7", "12.50", "0.10", "3.999", "1000000", "007", "", "n/a", "99999999999999999999", "1.00"]


class Cell:
    """What a cell says, and how it is spelled; the content is None where it is null."""

    def __init__(self, content, raw, is_quoted=False, is_there=True):
        self.content, self.raw, self.is_there = content, raw, is_there
        # What stood in quotes goes back into them.
        self.is_quoted = is_quoted
        self.is_changed = False


class Table:
    """A table of csv or tsv: its columns, its records, and the ends of these."""

    def __init__(self, rng, form):
        self.form = form
        self.mark = "," if form == "csv" and rng.random() < 0.3 else "."
        self.delimiter = "\t" if form == "tsv" else rng.choice([",", ",", ";", "|"])
        self.columns = ["id", "t", "n", "u", "m"][: rng.choice([3, 4, 5, 5])]
        ends = rng.choice([["\n"], ["\r\n"], ["\n", "\r\n"], ["\r\n", "\n"]])
        self.end = ends[0]
        is_ragged = rng.random() < 0.25
        self.is_ragged = is_ragged
        quoting = rng.choice([0, 0.2, 1])
        self.rows = []
        for number in range(rng.choice([0, 1, 3, 12, 12, 40, 700])):
            cells = []
            for column in self.columns:
                if column == "id":
                    text = str(number)
                elif column in "tu":
                    text = rng.choice(TEXTS)
                else:
                    text = rng.choice(NUMBERS).replace(".", self.mark)
                cells.append(self.spelled(text, rng.random() < quoting))
            if is_ragged and rng.random() < 0.3:
                for cell in cells[rng.randint(1, len(cells)):]:
                    cell.content, cell.raw, cell.is_quoted, cell.is_there = None, "", False, False
            self.rows.append([cells, rng.choice(ends)])
        if self.rows and rng.random() < 0.3:
            self.rows[-1][1] = ""
        self.has_bom = rng.random() < 0.3
        # What makes a table of another form of this one is a header that is not read.
        self.header = [self.spelled(name, rng.random() < quoting).raw for name in self.columns]

    def spelled(self, text, is_quoted=False):
        """A cell that says a text; without one it is null."""
        content = None if text == "" else text
        if self.form == "tsv":
            raw = text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
            return Cell(content, raw)
        if is_quoted or any(mark in text for mark in (self.delimiter, '"', "\n", "\r")):
            return Cell(content, '"' + text.replace('"', '""') + '"', True)
        return Cell(content, text)

    def change(self, cell, text):
        """Gives a cell another text, or none; the bytes stay where it says the same already."""
        if text == cell.content:
            return
        new = self.spelled(text or "", cell.is_quoted and text is not None)
        cell.content, cell.raw, cell.is_there = text if text else None, new.raw, True

    def written(self, rows=None, header=None):
        lines = [self.delimiter.join(header or self.header) + self.end]
        for cells, end in self.rows if rows is None else rows:
            lines.append(self.delimiter.join(cell.raw for cell in cells) + (end or self.end))
        return "".join(lines).encode()

    @property
    def input(self):
        lines = [self.delimiter.join(self.header) + self.end]
        for cells, end in self.rows:
            lines.append(self.delimiter.join(cell.raw for cell in cells if cell.is_there) + end)
        return (b"\xef\xbb\xbf" if self.has_bom else b"") + "".join(lines).encode()


def number(text, mark="."):
    """The exact number that a cell is, or None."""
    if text is None:
        return None
    text = text.strip(" ").replace(mark, ".")
    if not text or not text.lstrip("+-").replace(".", "", 1).isdigit():
        return None
    return decimal.Decimal(text)


def spelled(value, mark="."):
    if value is None:
        return None
    # There is no zero below zero.
    return format(abs(value) if value == 0 else value, "f").replace(".", mark)


class Edits:
    """Some edits, and what they do to rows of the model; a row is a dictionary of its cells."""

    def __init__(self, rng, columns, mark):
        self.rng, self.mark = rng, mark
        self.columns = list(columns)
        self.words, self.edits, self.deletions = [], [], []
        # The records that come last: their cells by columns, each a constant and what it says.
        self.additions = []
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            record = {name: self.constant(name) for name in rng.sample(self.columns, rng.randint(1, len(self.columns)))}
            self.additions.append({name: text for name, (_, text) in record.items()})
            self.words += ["--add", ", ".join(f"{name} = {source}" for name, (source, _) in record.items())]
        self.can_edit = self.can_delete = None
        for _ in range(rng.randint(1, 4)):
            parts = []
            kind = "--derive" if rng.random() < 0.15 else "--set"
            for _ in range(rng.randint(1, 2)):
                if kind == "--derive":
                    column = f"new{len(self.columns)}"
                else:
                    column = rng.choice(self.columns)
                source, value = self.value()
                test = self.test() if rng.random() < 0.8 else ("", None)
                parts.append(f"{column} = {source}" + (f" where {test[0]}" if test[0] else ""))
                self.edits.append((kind, len(self.words), column, value, test[1]))
                if kind == "--derive":
                    self.columns.append(column)
            self.words += [kind, rng.choice([";", "\n", " ; "]).join(parts)]
        if rng.random() < 0.4:
            # By the columns that there are before the first --set.
            known, self.columns = self.columns, list(columns)
            source, self.can_edit = self.test()
            self.words += ["--can-edit", source]
            self.columns = known
        for _ in range(rng.choice([0, 0, 1, 2])):
            source, test = self.test()
            self.deletions.append(test)
            self.words += ["--delete", source]
        if self.deletions and rng.random() < 0.5:
            source, self.can_delete = self.test()
            self.words += ["--can-delete", source]
        if mark == ",":
            self.words += ["--decimal", ",", "--thousands", "."]

    @property
    def ranked(self):
        """The columns that get cells, in the order of their names in the options."""
        given = [name for record in self.additions for name in record]
        return list(dict.fromkeys([*given, *(column for _, _, column, _, _ in self.edits)]))

    def constant(self, name):
        """A value for a column of a new record."""
        if name == "t" or name == "u":
            text = self.rng.choice([text for text in TEXTS if text])
            return "'" + text.replace("'", "''") + "'", text
        number = decimal.Decimal(self.rng.choice(["7", "12.50", "0.10", "1000"]))
        return str(number), spelled(number, self.mark)

    def column(self, letters):
        return self.rng.choice([name for name in self.columns if name[0] in letters] or ["id"])

    def value(self):
        rng = self.rng
        pick = rng.randrange(8)
        if pick == 0:
            text = rng.choice([text for text in TEXTS if text])
            return "'" + text.replace("'", "''") + "'", lambda row: text
        if pick == 1:
            return "null", lambda row: None
        if pick == 2:
            name = self.column("tui")
            return f"{name} ++ '!'", lambda row: None if row[name].content is None else row[name].content + "!"
        if pick == 3:
            name = self.column("tu")
            return f"lower({name})", lambda row: None if row[name].content is None else row[name].content.lower()
        if pick == 4:
            name = rng.choice(self.columns)
            return name, lambda row: row[name].content
        name = self.column("nmi")
        factor = decimal.Decimal(rng.choice(["1", "2", "1.1", "-0.5", "0.25"]))
        if pick == 5:
            return f"{name} + {factor}".replace("+ -", "- "), lambda row: self.computed(row[name], lambda x: x + factor)
        if pick == 6:
            return f"{name} * {factor}", lambda row: self.computed(row[name], lambda x: x * factor)
        return str(factor), lambda row: spelled(factor, self.mark)

    def computed(self, cell, compute):
        value = number(cell.content, self.mark)
        return None if value is None else spelled(compute(value), self.mark)

    def test(self):
        rng = self.rng
        pick = rng.randrange(5)
        if pick == 0:
            name, text = self.column("tu"), rng.choice([text for text in TEXTS if text])
            source = f"{name} = '" + text.replace("'", "''") + "'"
            return source, lambda row: row[name].content == text
        if pick == 1:
            name = rng.choice(self.columns)
            return f"{name} is null", lambda row: row[name].content is None
        if pick == 2:
            low = rng.randrange(30)

            def test(row):
                value = number(row["id"].content, self.mark)
                return value is not None and value >= low
            return f"id >= {low}", test
        if pick == 3:
            name, least = self.column("nm"), rng.choice([0, 1, 12, 1000])

            def test(row):
                value = number(row[name].content, self.mark)
                return value is not None and value > least
            return f"{name} > {least}", test
        return "false", lambda row: False

    def apply(self, rows, change, derive):
        """The rows that are left, and how many were refused to be edited and deleted."""
        left, not_edited, not_deleted = [], 0, 0
        for row in rows:
            is_refused, option, before = False, None, True
            for kind, place, column, value, test in self.edits:
                if kind == "--set" and option != place:
                    option = place
                    before = self.can_edit is None or self.can_edit(row)
                if test is not None and not test(row):
                    if kind == "--derive":
                        derive(row, column, None)
                    continue
                if kind == "--derive":
                    derive(row, column, value(row))
                elif before:
                    change(row[column], value(row))
                else:
                    is_refused = True
            not_edited += is_refused
            is_kept = False
            for test in self.deletions:
                if test(row):
                    if self.can_delete is None or self.can_delete(row):
                        break
                    is_kept = True
            else:
                left.append(row)
            not_deleted += is_kept
        return left, not_edited, not_deleted


class Comparison:
    def __init__(self, program, seed):
        self.program, self.seed = program, seed
        self.count = self.differences = 0
        self.folder = tempfile.TemporaryDirectory()

    def run(self, words, data, file=None):
        self.count += 1
        words = [self.program, *words] + ([file] if file else [])
        ended = harness.run(words, None if file else data, self.folder.name)
        return ended.status, ended.bytes, ended.errors

    def differ(self, round, what, found, expected):
        self.differences += 1
        if self.differences <= 10:
            print(f"seed {self.seed}, round {round}: {what}\n  tabler {found!r}\n  model  {expected!r}")

    def text(self, round):
        rng = random.Random(f"{self.seed} {round}")
        form = rng.choice(["csv", "csv", "csv", "tsv"])
        table = Table(rng, form)
        edits = Edits(rng, table.columns, table.mark)
        data = table.input
        words = [f"--{form}", "--from", form, *edits.words]
        if form == "csv":
            words += ["-d", table.delimiter]
        if table.is_ragged:
            words += ["--ragged", "fill"]
        rows, line = [], 2
        for cells, end in table.rows:
            rows.append(dict(zip(table.columns, cells), end=end, line=line, is_added=False))
            line += sum(cell.raw.count("\n") for cell in cells if cell.is_there) + 1
        for record in edits.additions:
            row = {name: Cell(None, "", False, False) for name in table.columns}
            row.update({name: table.spelled(text) for name, text in record.items()}, end="", is_added=True)
            row["line"] = f"--add:{sum(1 for row in rows if row['is_added']) + 1}"
            for cell in row.values():
                if isinstance(cell, Cell):
                    # There was no spelling that a change would keep the quotes of.
                    cell.is_quoted = False
            rows.append(row)

        def derive(row, column, value):
            row[column] = table.spelled(value or "")
            # The input has no spelling of it that a change would keep the quotes of.
            row[column].is_quoted = False

        left, not_edited, not_deleted = edits.apply(rows, table.change, derive)
        new = [name for name in edits.columns if name not in table.columns]

        def expected(rows):
            header = table.header + new
            return table.written([([row[name] for name in table.columns + new], row["end"]) for row in rows], header)

        file = os.path.join(self.folder.name, "x." + form)
        with open(file, "wb") as stream:
            stream.write(data)
        def identifier(row):
            value = number(row["id"].content, table.mark)
            return (value is None, value)
        shapes = [([], left), (["--memory", "1K"], left), (["--head", "5"], left[:5]), (["--tail", "3"], left[-3:]),
                  (["--skip", "2"], left[2:])]
        if all(row["id"].content is not None and number(row["id"].content, table.mark) is not None for row in left):
            ordered = sorted(left, key=lambda row: -number(row["id"].content, table.mark))
            shapes += [(["--sort", "-id"], ordered), (["--sort", "-id", "--memory", "1K"], ordered),
                       (["--sort", "-id", "--head", "4"], ordered[:4])]
        for options, wanted in [shapes[0], *rng.sample(shapes[1:], 2)]:
            is_file = rng.random() < 0.5
            status, out, errors = self.run(words + options, data, file if is_file else None)
            if status != 0 or out != expected(wanted):
                self.differ(round, f"{words + options} {data!r}: status {status} {errors}", out, expected(wanted))
                return
            self.rules(round, rng, table, edits, words + options, data, file if is_file else None, wanted, left, expected)
            if options:
                continue
            for done, option, count in [("edited", "edit", not_edited), ("deleted", "delete", not_deleted)]:
                said = f"{count} row{'s' if count > 1 else ''} may not be {done} (--can-{option}; first: "
                if (said in errors) != (count > 0) or (count == 0 and f"--can-{option}; first" in errors):
                    self.differ(round, f"{words} {data!r}", errors, said)

    def rules(self, round, rng, table, edits, words, data, file, wanted, left, expected):
        """Checks the rows that the edits leave: what is found, which rows stay, what is rejected, what is saved."""
        rules = []
        for place in range(rng.randint(1, 3)):
            kind = rng.randrange(4)
            if kind == 0:
                name = rng.choice(edits.columns)
                rules.append((name, f"{name}: value is not null", lambda row, name=name: row[name].content is not None))
            elif kind == 1:
                name = rng.choice([name for name in edits.columns if name[0] in "tu"])
                seen = set()

                def is_first(row, name=name, seen=seen):
                    content = row[name].content
                    return content is None or content not in seen and not seen.add(content)
                rules.append((name, f"{name}: unique(value)", is_first))
            else:
                source, test = edits.test()
                name = rng.choice([None, *edits.columns])
                rules.append((name, f"{name}: {source}" if name else source, test))
        said = [f"rule {place}, 'said'" for place in range(len(rules))]
        checks = []
        for (_, source, _), message in zip(rules, said):
            checks += ["--validate", source + ", '" + message.replace("'", "''") + "'"]
        findings = []
        for row in left:
            row["bad"] = [place for place, (_, _, test) in enumerate(rules) if not test(row)]
            for place in row["bad"]:
                name = rules[place][0]
                findings.append(f"{row['line']}: {name + ': ' if name else ''}{said[place]}")
        count = sum(1 for row in left if row["bad"])
        valid, invalid = [row for row in wanted if not row["bad"]], [row for row in wanted if row["bad"]]
        input = file or "<stdin>"

        def found(errors):
            lines = [line for line in errors.splitlines() if not line.startswith(("tabler: warning: ", "tabler: note: "))]
            said_of = [line.removeprefix("tabler: ").replace(input + ":", "") for line in lines]
            # Where in its line a cell begins is not modeled.
            return [re.sub(r"^(\d+):\d+: ", r"\1: ", line) for line in said_of]
        told = findings[:100]
        if len(findings) > 100:
            told = told + [f"{len(findings)} findings in {count} row{'s' if count > 1 else ''}; the first 100 are named"]
        status, out, errors = self.run(words + checks, data, file)
        if status != (1 if count else 0) or out != expected(wanted) or found(errors) != told:
            return self.differ(round, f"{words + checks} {data!r}: status {status} {errors}", (out, found(errors)), (expected(wanted), told))
        # What is left of a window is not what would be left of other rows.
        if wanted is not left and len(wanted) < len(left):
            return
        status, out, errors = self.run(words + checks + ["--invalid-only"], data, file)
        if status != (1 if count else 0) or out != expected(invalid):
            self.differ(round, f"{words + checks} --invalid-only {data!r}: status {status} {errors}", out, expected(invalid))
        rejects = os.path.join(self.folder.name, "rejects.csv")
        status, out, errors = self.run(words + checks + ["--rejects", rejects], data, file)
        if status != (1 if count else 0) or out != expected(valid):
            self.differ(round, f"{words + checks} --rejects {data!r}: status {status} {errors}", out, expected(valid))
        if table.form == "csv":
            names = list(table.columns) + [name for name in edits.columns if name not in table.columns]
            rows = []
            for row in left:
                if row["bad"]:
                    place = ("--add" if row["is_added"] else input) + ":" if edits.additions else ""
                    reasons = [place + str(row["line"]).removeprefix("--add:"), "; ".join(rules[bad][0] or "" for bad in row["bad"]),
                               "; ".join(said[bad] for bad in row["bad"])]
                    rows.append(([row[name] for name in names] + [table.spelled(text) for text in reasons], row["end"]))
            header = table.header + names[len(table.columns):] + ["line", "column", "message"]
            with open(rejects, "rb") as stream:
                written = stream.read()
            if written != table.written(rows, header):
                self.differ(round, f"{words + checks} --rejects {data!r}", written, table.written(rows, header))
        saved = os.path.join(self.folder.name, "saved." + table.form)
        if os.path.exists(saved):
            os.remove(saved)
        status, out, errors = self.run(words + checks + ["-o", saved], data, file)
        is_saved = os.path.exists(saved)
        if status != (1 if count else 0) or out or is_saved != (count == 0):
            self.differ(round, f"{words + checks} -o {data!r}: status {status} {errors}", is_saved, count == 0)

    def json(self, round):
        rng = random.Random(f"{self.seed} json {round}")
        columns = ["id", "t", "n", "u", "m"]
        edits = Edits(rng, columns, ".")
        records, lines = [], []
        for place in range(rng.choice([1, 5, 20, 300])):
            record = {}
            for name in rng.sample(columns, rng.randint(1, len(columns))) if place else columns:
                if name == "id":
                    record[name] = place
                elif name in "tu":
                    record[name] = rng.choice(TEXTS + [None])
                else:
                    text = rng.choice([text for text in NUMBERS if text not in ("", "n/a", "007")])
                    record[name] = decimal.Decimal(text)
            records.append(record)
            parts = []
            for name, value in record.items():
                shown = str(value) if isinstance(value, decimal.Decimal) else json.dumps(value, ensure_ascii=rng.random() < 0.5)
                parts.append(f'"{name}":{shown}')
            lines.append("{" + ",".join(parts) + "}")
        data = "\n".join(lines).encode()
        rows = []
        for record in records:
            row = {}
            for name in columns:
                value = record.get(name)
                text = None if value is None or value == "" else str(value)
                row[name] = Cell(text, value, is_there=name in record)
                if value == "":
                    row[name].content = ""
            row["order"] = list(record)
            row["is_added"] = False
            rows.append(row)
        for record in edits.additions:
            row = {name: Cell(record.get(name), record.get(name), is_there=name in record) for name in columns}
            row["order"] = [name for name in columns if name in record]
            row["is_added"] = True
            rows.append(row)

        class Unchanged:
            pass

        def change(cell, text):
            if text == cell.content or (text is None and cell.content is None):
                return
            cell.content, cell.raw, cell.is_changed = text, Unchanged, True

        def derive(row, column, value):
            row[column] = Cell(value, Unchanged)

        left, _, _ = edits.apply(rows, change, derive)
        words = ["--jsonl", "--from", "jsonl", *edits.words]
        if left and rng.random() < 0.3:
            words += ["--move", "1 to bottom"] + rng.choice([[], ["--memory", "1K"]])
            left = left[1:] + left[:1]
        status, out, errors = self.run(words, data)
        found = [json.loads(line, object_pairs_hook=lambda pairs: pairs, parse_float=str, parse_int=str)
                 for line in out.decode().splitlines()]
        expected = []
        for row in left:
            # What is put into a record stands in the order in which its names were used first.
            names = list(row["order"]) if not row["is_added"] else []
            names += [name for name in edits.ranked if name not in names
                      and (name in row["order"] or name not in columns or row[name].is_changed)]
            expected.append([(name, row[name].content if row[name].raw is Unchanged else
                              str(row[name].raw) if isinstance(row[name].raw, (int, decimal.Decimal)) else row[name].raw)
                             for name in names])
        # A text that was put into a cell may be a number there; its characters are compared.
        if status != 0 or found != expected:
            self.differ(round, f"{words} {data!r}: status {status} {errors}", found, expected)


def main():
    options = harness.arguments(__doc__, ("--rounds", 300, "how many tables"))
    comparison = Comparison(options.tabler, options.seed)
    for round in range(options.rounds):
        comparison.text(round)
        comparison.json(round)
    print(f"seed {options.seed}: {comparison.count} comparisons, {comparison.differences} differences")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
