#!/usr/bin/env python3
"""Compares random tables with `--diff`, and the answers with a model that knows tables as lists of dictionaries (R48).

    Tests/Fuzz/changes.py [--tabler BINARY] [--seed TEXT] [--runs N] [--peers]

What must hold of two tables a and b:

- the change list, replayed by the model over a, gives b, and backwards over b gives a;
- the numbers of rows inserted, deleted, updated and moved are those of the model, the moves the least possible;
- `--apply` makes b of a, and with `--reverse` a of b, byte for byte if only cells have changed, but for quotes that
  are no longer needed;
- a compared with itself has no changes, and status 0;
- csv says the same as the list, and marks, layouts and forms as many rows;
- a table from a pipe, with little memory or in another form gives the same;
- tables that are sorted by their ids give the same if they are merged under `--sorted-by`, in the order of the ids; one
  that is not sorted is status 3, and no file is replaced.

With --peers the numbers of rows inserted, deleted and updated are those of daff and csv-diff, too (both from PyPI).
"""

import bisect
import collections
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

OPTIONS = harness.arguments(
    __doc__, ("--runs", 150, "how many pairs of tables"), ("--peers", False, "compare with daff and csv-diff"))
WORDS = ["red", "Kiwi", "7", "08", "-1.50", "", "NA", "true", "a,b", 'say "x"', "two\nlines", "🥝", "日本", "x" * 40, " y ",
         "1e3", "null", "~", "+", "->", "|", "<b>"]


class Table:
    """A table: the names of its columns, and its rows as dictionaries of texts."""

    def __init__(self, names, rows):
        self.names, self.rows = names, rows

    def csv(self, end="\n", delimiter=","):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
        writer.writerow(self.names)
        writer.writerows([[row[name] for name in self.names] for row in self.rows])
        return out.getvalue()

    def jsonl(self):
        def spelled(cell):
            return cell.text if isinstance(cell, Number) else json.dumps(cell, ensure_ascii=False)

        return "".join("{" + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{spelled(value(row[name]))}"
                                      for name in self.names) + "}\n" for row in self.rows)


def value(text):
    """What a cell of csv is in JSON."""
    if text == "":
        return None
    if re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", text):
        return Number(text)
    return {"true": True, "false": False}.get(text, text)


class Number(float):
    """A number that keeps its digits."""

    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.text = text
        return made

    def __repr__(self):
        return self.text

    __str__ = __repr__


def text_of(value):
    """The text that a value of a change list is in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.text if isinstance(value, Number) else value


def entries(text):
    return [json.loads(line, parse_float=Number, parse_int=Number) for line in text.splitlines()]


def random_table(chance, keyed):
    names = ["id"] + chance.sample(["name", "weight", "color", "note", "a b", "été"], chance.randint(1, 4))
    count = chance.choice([0, 1, 2, 3, 5, 8, 20, 60])
    ids = chance.sample(range(1, 1000), count)
    pool = [str(number) if chance.random() < 0.8 else f"k{number}" for number in ids]
    if not keyed:
        pool = [chance.choice(["1", "2", "3"]) for _ in range(count)]
    words = WORDS if keyed else WORDS[:4]
    return Table(names, [dict({name: chance.choice(words) for name in names}, id=key) for key in pool])


def changed(chance, old, keyed):
    """Another version of a table."""
    rows = [dict(row) for row in old.rows]
    names = list(old.names)
    for _ in range(chance.choice([0, 0, 1, 2, 5])):
        kind = chance.choice(["insert", "delete", "update", "update", "move", "move"])
        if kind == "insert":
            row = {name: chance.choice(WORDS if keyed else WORDS[:4]) for name in names}
            row["id"] = str(chance.randint(1000, 9999)) if keyed else chance.choice(["1", "2", "3"])
            if not keyed or all(row["id"] != other["id"] for other in rows):
                rows.insert(chance.randint(0, len(rows)), row)
        elif rows:
            place = chance.randrange(len(rows))
            if kind == "delete":
                del rows[place]
            elif kind == "update" and keyed:
                rows[place][chance.choice(names[1:])] = chance.choice(WORDS)
            elif kind == "move":
                rows.insert(chance.randint(0, len(rows) - 1), rows.pop(place))
    if chance.random() < 0.1:
        chance.shuffle(rows)
    if keyed and chance.random() < 0.2:
        names.append("came")
        for row in rows:
            row["came"] = chance.choice(WORDS)
    if keyed and chance.random() < 0.2 and len(names) > 2:
        names.remove(chance.choice(names[1:]))
    if chance.random() < 0.2:
        names = [names[0]] + chance.sample(names[1:], len(names) - 1)
    return Table(names, [{name: row[name] for name in names} for row in rows])


def least_moves(places):
    """The least number of rows to be moved to make places increase."""
    ends = []
    for place in places:
        slot = bisect.bisect_left(ends, place)
        ends[slot:slot + 1] = [place]
    least = len(places) - len(ends)
    if len(places) <= 6:
        # Every set of rows that may stay.
        longest = max((len(some) for count in range(len(places) + 1) for some in itertools.combinations(places, count)
                       if list(some) == sorted(some)), default=0)
        assert len(places) - longest == least
    return least


def longest_common(first, second):
    """The length of a longest common subsequence."""
    lengths = [0] * (len(second) + 1)
    for item in first:
        before = lengths[:]
        for place, other in enumerate(second):
            lengths[place + 1] = before[place] + 1 if item == other else max(before[place + 1], lengths[place])
    return lengths[-1]


def expected(old, new, keyed):
    """The counts of the model: inserted, deleted, updated, moved."""
    if not keyed:
        # Equal rows are matched so that as many as possible stay in order.
        before, after = [[tuple(sorted(row.items())) for row in table.rows] for table in (old, new)]
        both = (collections.Counter(before) & collections.Counter(after)).total()
        return (len(after) - both, len(before) - both, 0, both - longest_common(before, after))
    before, after = [row["id"] for row in old.rows], [row["id"] for row in new.rows]
    places = {key: place for place, key in enumerate(before)}
    both = [key for key in after if key in places]
    common = [name for name in new.names if name in old.names]
    rows = {row["id"]: row for row in new.rows}
    updated = sum(any(row[name] != rows[row["id"]][name] for name in common) for row in old.rows if row["id"] in rows)
    return (len(after) - len(both), len(before) - len(both), updated, least_moves([places[key] for key in both]))


def replay(changes, table, backwards, keyed):
    """The table that a change list makes of another one."""
    head, *rest = changes
    assert head["op"] == "columns", head
    source, target = ("new", "old") if backwards else ("old", "new")
    assert head[source] == table.names, (head, table.names)
    start, end = ("to", "from") if backwards else ("from", "to")
    rows = [dict(row) for row in table.rows]
    taken, placed = set(), {}

    def find(change):
        if keyed:
            key = text_of(change["id"]["id"])
            return next(place for place, row in enumerate(rows) if row["id"] == key)
        return int(change[start]) - 1

    moves = []
    for change in rest:
        op = change["op"]
        if backwards:
            op = {"insert": "delete", "delete": "insert"}.get(op, op)
        if op == "insert":
            row = {name: text_of(change["row"].get(name)) for name in head[target]}
            placed[int(change[end])] = row
        elif op == "delete":
            place = find(change)
            assert rows[place] == {name: text_of(change["row"].get(name)) for name in table.names}, change
            taken.add(place)
        elif op == "move":
            moves.append((find(change), int(change[end])))
        else:
            row = rows[find(change)]
            for name, cell in change["cells"].items():
                if source in cell:
                    assert row.get(name, "") == text_of(cell[source]), change
                row[name] = text_of(cell.get(target))
    for place, goal in moves:
        taken.add(place)
        placed[goal] = rows[place]
    left = [row for place, row in enumerate(rows) if place not in taken]
    made = []
    while left or placed:
        row = placed.pop(len(made) + 1, None)
        made.append(row if row is not None else left.pop(0))
    return Table(head[target], [{name: row.get(name, "") for name in head[target]} for row in made])


def listed_ops(changes):
    return {change["op"] for change in changes[1:]}


def quoted(value):
    return any(mark in text_of(value) for mark in ',"\n\r')


def normal(text):
    return text.replace("\r\n", "\n")


def counts(said):
    found = {word: 0 for word in ["inserted", "deleted", "updated", "moved"]}
    for number, word in re.findall(r"([0-9,]+) (inserted|deleted|updated|moved)", said):
        found[word] = int(number.replace(",", ""))
    return tuple(found.values())


def ask(number, seed):
    chance = random.Random(seed)
    keyed = chance.random() < 0.7
    old = random_table(chance, keyed)
    new = changed(chance, old, keyed)
    if not keyed and old.names != new.names:
        new = Table(old.names, new.rows)
    key = ["--id", "id"] if keyed else []
    with tempfile.TemporaryDirectory() as folder:
        before = os.path.join(folder, "old.csv")
        with open(before, "w", newline="") as file:
            file.write(old.csv(chance.choice(["\n", "\r\n"])))
        after = os.path.join(folder, "new.csv")
        with open(after, "w", newline="") as file:
            file.write(new.csv())

        def compare(*words, data=None):
            files = [] if data is not None else [after]
            return harness.run([OPTIONS.tabler, *files, "--diff", before, *key, *words], data)

        found = compare("--jsonl")
        want = expected(old, new, keyed)
        problem = lambda text: print(f"run {number}, seed {seed}: {text}\n{old.csv()}----\n{new.csv()}----\n"
                                     f"{found.output}{found.errors}")
        same = want == (0, 0, 0, 0) and sorted(old.names) == sorted(new.names)
        if found.status != (0 if same else 1):
            return problem(f"status {found.status}")
        if counts(found.errors) != want:
            return problem(f"counted {counts(found.errors)}, the model {want}")
        changes = entries(found.output)
        try:
            there, back = replay(changes, old, False, keyed), replay(changes, new, True, keyed)
        except (AssertionError, StopIteration, IndexError) as error:
            return problem(f"the list does not fit: {error!r}")
        if there.rows != new.rows or there.names != new.names:
            return problem(f"replayed it is\n{there.csv()}")
        if back.rows != old.rows or back.names != old.names:
            return problem(f"replayed backwards it is\n{back.csv()}")
        rows_of = lambda text: list(csv.reader(io.StringIO(text, newline="")))
        for source, target, words in [(before, after, []), (after, before, ["--reverse"])]:
            made = harness.run([OPTIONS.tabler, source, "--apply", "-", "-t", "csv", *words], found.output)
            with open(target, newline="") as file:
                goal = file.read()
            if made.status != 0 or rows_of(made.output) != rows_of(goal):
                return problem(f"--apply {words}: status {made.status} {made.output}{made.errors}")
            # A cell that stood in quotes stays in them.
            fits = all(not quoted(cell["new" if words else "old"]) or quoted(cell["old" if words else "new"])
                       for change in changes[1:] for cell in change.get("cells", {}).values() if len(cell) == 2)
            only_cells = not (listed_ops(changes) - {"update"}) and old.names == new.names and fits
            if only_cells and normal(made.output) != normal(goal):
                return problem(f"--apply {words} gives other bytes: {made.output!r}")
        for words, data in [(["--memory", "1M"], None), ([], new.csv()), ([], new.csv("\r\n"))]:
            other = compare("--jsonl", *words, data=data)
            if (other.status, other.output, other.errors) != (found.status, found.output, found.errors):
                return problem(f"otherwise {words} it is\n{other.output}{other.errors}")
        as_objects = compare("--jsonl", "--from", "jsonl", data=new.jsonl())
        # Objects without a row have no columns.
        if new.rows and as_objects.output.replace('"old":null', '"old":""') != found.output.replace('"old":null', '"old":""'):
            return problem(f"as JSON lines it is\n{as_objects.output}{as_objects.errors}")
        listed = collections.Counter(change["op"] for change in changes[1:])
        rows = list(csv.DictReader(io.StringIO(compare("--csv").output, newline="")))
        words = collections.Counter(word for row in rows for word in row["change"].split("+"))
        lone = set(old.names) ^ set(new.names)
        if (words["insert"], words["delete"], words["move"]) != (listed["insert"], listed["delete"], listed["move"]):
            return problem(f"csv says {words}, the list {listed}")
        if not lone and words["update"] != listed["update"]:
            return problem(f"csv says {words}, the list {listed}")
        shown = compare("--csv", "--moves", "auto", "--grid", "-t", "html", "--fragment").output.count("<tr>") - 1
        if shown != len(rows) and "order changed" not in compare("--list").errors:
            return problem(f"HTML shows {shown} rows, csv {len(rows)}")
        itself = harness.run([OPTIONS.tabler, before, "--diff", before, *key, "--jsonl"])
        if itself.status != 0 or len(itself.output.splitlines()) != 1:
            return problem(f"compared with itself: {itself.status} {itself.output}")
    return True


ORDERS = ["id", "-id", "id:text", "-id:text", "id:nocase", "-id:nocase", "id:natural", "-id:version"]


def tying_ids(chance, table):
    """New ids by the old ones; some of them tie in some orders."""
    spelled = ["{}", "{}", "0{}", "{}.0", "k{}", "K{}", "k0{}"]
    keys, known = {}, set()
    for row in table.rows:
        key = chance.choice(spelled).format(chance.choice([row["id"], "5", "12"]))
        if key in known:
            key = row["id"] + "u"
        known.add(key)
        keys[row["id"]] = key
    return keys


def ask_sorted(number, seed):
    """Compares the merge of sorted tables with the answer for tables in any order."""
    chance = random.Random(seed)
    old = random_table(chance, True)
    new = changed(chance, old, True)
    keys = tying_ids(chance, Table(["id"], old.rows + new.rows))
    for table in [old, new]:
        table.rows = [dict(row, id=keys[row["id"]]) for row in table.rows]
    order = chance.choice(ORDERS)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ["old.csv", "new.csv"]]
        for path, table in zip(paths, [old, new]):
            made = harness.run([OPTIONS.tabler, "--sort", order, "-t", "csv"], table.csv())
            with open(path, "w", newline="") as file:
                file.write(made.output)
        before, after = paths
        with open(after, newline="") as file:
            piped = file.read()

        def compare(*words, data=None):
            files = [] if data is not None else [after]
            return harness.run([OPTIONS.tabler, *files, "--diff", before, "--id", "id", *words], data)

        any_order = compare("--jsonl")
        merged = compare("--jsonl", "--sorted-by", order)
        problem = lambda text: print(f"run {number}, seed {seed}, {order}: {text}\n{old.csv()}----\n{new.csv()}----\n"
                                     f"{any_order.output}{any_order.errors}----\n{merged.output}{merged.errors}")
        if (merged.status, counts(merged.errors)) != (any_order.status, counts(any_order.errors)):
            return problem("other counts")
        # Which of several rows were moved is open; how many is not.
        listed = lambda run: sorted(line for line in run.output.splitlines() if '"op":"move"' not in line)
        if listed(merged) != listed(any_order):
            return problem("other changes")
        made = harness.run([OPTIONS.tabler, before, "--apply", "-", "-t", "csv"], merged.output)
        rows_of = lambda text: list(csv.reader(io.StringIO(text, newline="")))
        if made.status != 0 or rows_of(made.output) != rows_of(piped):
            return problem(f"--apply: status {made.status} {made.output}{made.errors}")
        for words in [["--memory", "1M"], []]:
            other = compare("--jsonl", "--sorted-by", order, *words, data=piped)
            said = other.errors.replace("<stdin>", after)
            if (other.status, other.output, said) != (merged.status, merged.output, merged.errors):
                return problem(f"from a pipe {words} it is\n{other.output}{other.errors}")
        everything = rows_of(compare("--csv", "--context", "all", "--sorted-by", order).output)[1:]
        sorted_keys = harness.run([OPTIONS.tabler, "-H", "--sorted-by", order.replace("id", "@1"), "-t", "csv"],
                                  "".join(row[3] + "\n" for row in everything if row[3]))
        if everything and sorted_keys.status != 0:
            return problem(f"the ids are not in order: {everything}")
        for reach in [1, 2]:
            near = set()
            for place, row in enumerate(everything):
                if row[0] == "":
                    continue
                near.add(place)
                for step in [-1, 1]:
                    at, left = place + step, reach
                    while 0 <= at < len(everything) and left > 0:
                        near.add(at)
                        left -= everything[at][2] != ""
                        at += step
            want = [row for place, row in enumerate(everything) if place in near]
            shown = rows_of(compare("--csv", "--context", str(reach), "--sorted-by", order).output)[1:]
            if shown != want:
                return problem(f"with {reach} rows around changes it shows {shown}, not {want}")
        # A row out of order in either table leaves the file that was to be replaced.
        kept = os.path.join(folder, "kept")
        for path in paths:
            with open(path, newline="") as file:
                table = file.read()
            rows = rows_of(table)
            shuffled = io.StringIO()
            csv.writer(shuffled, lineterminator="\n").writerows(rows[:1] + rows[:0:-1])
            if harness.run([OPTIONS.tabler, "--sorted-by", order, "-t", "csv"], shuffled.getvalue()).status == 0:
                continue
            with open(path, "w", newline="") as file:
                file.write(shuffled.getvalue())
            with open(kept, "w") as file:
                file.write("kept")
            for form in ["jsonl", "csv", "html"]:
                failed = compare("-t", form, "-o", kept, "--sorted-by", order)
                with open(kept) as file:
                    if failed.status != 3 or "out of order" not in failed.errors or file.read() != "kept":
                        return problem(f"out of order, to {form}: status {failed.status}\n{failed.errors}")
            with open(path, "w", newline="") as file:
                file.write(table)
        cards = compare("--detail", "-t", "text", "--sorted-by", order)
        if cards.status != merged.status or counts(cards.errors) != counts(merged.errors):
            return problem(f"as cards it is\n{cards.output}{cards.errors}")
    return True


def ask_peers(number, seed):
    """Compares the counts with those of other programs, on tables with an id."""
    import csv_diff
    import daff

    chance = random.Random(seed)
    old = random_table(chance, True)
    new = changed(chance, old, True)
    if not old.rows or not new.rows:
        return True
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ["old.csv", "new.csv"]]
        for path, table in zip(paths, [old, new]):
            with open(path, "w", newline="") as file:
                file.write(table.csv())
        mine = counts(harness.run([OPTIONS.tabler, paths[1], "--diff", paths[0], "--id", "id", "-t", "csv"]).errors)
        found = csv_diff.compare(*(csv_diff.load_csv(open(path, newline=""), key="id") for path in paths))
        theirs = tuple(len(found[name]) for name in ["added", "removed", "changed"])
        flags = daff.CompareFlags()
        flags.ids = ["id"]
        views = [daff.PythonTableView([table.names] + [[row[name] for name in table.names] for row in table.rows])
                 for table in [old, new]]
        difference = daff.TableDiff(daff.Coopy.compareTables(*views, flags).align(), flags)
        difference.hilite(daff.PythonTableView([]))
        summary = difference.getSummary()
        daffs = (summary.row_inserts, summary.row_deletes, summary.row_updates)
    if mine[:3] == theirs == daffs:
        return True
    print(f"run {number}, seed {seed}: tabler {mine[:3]}, csv-diff {theirs}, daff {daffs}\n{old.csv()}----\n{new.csv()}")


def main():
    failures = 0
    for number in range(OPTIONS.runs):
        questions = [ask_peers] if OPTIONS.peers else [ask, ask_sorted]
        failures += sum(question(number, f"{OPTIONS.seed}-{number}") is not True for question in questions)
        if failures > 4:
            break
    print(f"{OPTIONS.runs} pairs of tables, {failures} wrong")
    sys.exit(failures > 0)


main()
