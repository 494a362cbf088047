#!/usr/bin/env python3
"""Draws every CSV file of a folder at several widths and says what is broken, cut, or too wide.

    Tests/Widths/widths.py [--tabler BINARY] [--widths 40,80,120] FOLDER ...

It reads what tabler draws, not how it decides. For each file, layout and width it looks at:

* lines wider than the width: allowed only where one cell for each column (two where the column has a character of two
  cells), and what separates columns, are more than the width;
* numbers, dates and times that are broken: allowed only where every column without any is as narrow as it can be;
* titles that are cut: allowed only where tabler counts them on the standard error.

Under `--overflow fit` columns may be left out, where a note says so. Prints a line for each finding and a table of the
runs and their time; status 1 when there was a finding.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time
import unicodedata

LAYOUTS = {
    "list": ["--list"],
    "stack": ["--stack", "--separator", "line"],
    "grid": ["--grid"],
    "detail": ["--detail"],
}
WHOLE = re.compile(r"[0-9+-][0-9+\-/:.TZ]*(?: [0-9+\-/:.TZ]+)?\Z")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")


def width(text):
    """The display columns of a text of one line; letters that a virama joins take two at most."""
    cells = 0
    joined = 0
    is_joining = False
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf"):
            is_joining = unicodedata.combining(character) == 9
            continue
        joined = joined + 1 if is_joining else 1
        is_joining = False
        if joined < 3:
            cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return cells


def has_wide(text):
    return any(unicodedata.east_asian_width(character) in "WF" for character in text)


def is_whole(text):
    """Whether a cell is a number, a date or a time by its look."""
    return bool(NUMBER.match(text) or (WHOLE.match(text) and re.search(r"\d", text)))


def run(tabler, arguments):
    result = subprocess.run([tabler, *arguments], capture_output=True)
    return result.returncode, result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")


def spelled(value):
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value)


def table(tabler, path):
    """The titles and cells of a file as texts; None where tabler refuses it."""
    status, text, _ = run(tabler, ["--jsonl", "--quiet", path])
    if status != 0 or not text:
        return None
    rows = [list(json.loads(line, parse_int=str, parse_float=str).items()) for line in text.splitlines()]
    return [title for title, _ in rows[0]], [[spelled(value) for _, value in row] for row in rows]


class Columns:
    """What is known of each column of a table."""

    def __init__(self, titles, rows):
        self.titles = titles
        count = len(titles)
        self.whole = [0] * count
        self.has_text = [False] * count
        self.smallest = [1] * count
        self.widest = [0] * count
        for row in rows:
            for index, cell in enumerate(row):
                # Without a value nothing is drawn that could be broken.
                if index >= count or cell == "":
                    continue
                # Blanks at the ends give way before a number does.
                if is_whole(cell.strip(" ")):
                    self.whole[index] = max(self.whole[index], width(cell.strip(" ")))
                elif cell not in ("NA", "N/A", "null", "-"):
                    self.has_text[index] = True
                self.widest[index] = max([self.widest[index]] + [width(line) for line in cell.split("\n")])
                if has_wide(cell):
                    self.smallest[index] = 2
        for index, title in enumerate(titles):
            # The address of a column without a title, which is not drawn.
            title = re.sub(r"^@\d+$", "", title)
            if has_wide(title):
                self.smallest[index] = 2
            room = max(self.widest[index], max(width(line) for line in title.split("\n")))
            self.smallest[index] = min(self.smallest[index], room)


def widths_of(layout, lines):
    """The widths of the columns as the first rule shows them."""
    for line in lines:
        if layout == "list" and re.fullmatch(r"[─ ]*─[─ ]*", line):
            return [len(part) for part in re.findall("─+", line)]
        if layout == "stack" and re.fullmatch(r"[═╪]+", line):
            parts = line.split("╪")
            return [len(part) - 2 for part in parts]
        if layout == "grid" and line.startswith("┌"):
            return [len(part) - 2 for part in line.strip("┌┐").split("┬")]
    return []


def frame_of(layout, count):
    """The cells of a line that are no column's."""
    if layout == "list":
        return 2 * (count - 1)
    if layout == "stack":
        return 2 + 3 * (count - 1)
    return 3 * count + 1


def header_of(layout, lines):
    """The lines of the titles."""
    if layout == "grid":
        lines = lines[1:]
    header = []
    for line in lines:
        if re.fullmatch(r"[─═╪╞╡├┤┼ ]*[─═][─═╪╞╡├┤┼ ]*", line):
            break
        header.append(line)
    return header


def findings(layout, limit, overflow, columns, output, errors):
    lines = output.split("\n")
    longest = max((width(line) for line in lines), default=0)
    if layout == "detail":
        if longest > limit and limit >= 10:
            yield f"a line is {longest - limit} cells too wide"
        return
    shown = widths_of(layout, lines)
    is_left_out = "columns shown" in errors
    if is_left_out:
        if longest > limit and "wider than the width" not in errors:
            yield f"a line is {longest - limit} cells too wide, unsaid"
        return
    if len(shown) != len(columns.titles):
        if any(smallest == 0 for smallest in columns.smallest):
            return
        yield f"{len(shown)} columns drawn of {len(columns.titles)}"
        return
    least = frame_of(layout, len(shown)) + sum(columns.smallest)
    if longest > limit and least <= limit:
        yield f"a line is {longest - limit} cells too wide, though {least} would do"
    texts = [index for index in range(len(shown)) if columns.has_text[index] and columns.whole[index] == 0]
    is_narrow = all(shown[index] <= columns.smallest[index] for index in texts)
    for index, room in enumerate(shown):
        if room < columns.whole[index] and not is_narrow:
            yield f"numbers of '{columns.titles[index]}' are broken at {room} of {columns.whole[index]} cells"
    has_cut = any("…" in line for line in header_of(layout, lines)) and not any("…" in t for t in columns.titles)
    if has_cut and "cut to fit" not in errors:
        yield "a title is cut, unsaid"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tabler", default="tabler")
    parser.add_argument("--widths", default="40,80,120")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    limits = [int(text) for text in options.widths.split(",")]
    paths = []
    for folder in options.folders:
        for place, _, names in os.walk(folder):
            paths += [os.path.join(place, name) for name in names if name.lower().endswith(".csv")]
    counts = collections.Counter()
    seconds = collections.Counter()
    found = 0
    files = 0
    for path in sorted(paths):
        known = table(options.tabler, path)
        if not known:
            counts["refused or empty"] += 1
            continue
        files += 1
        columns = Columns(*known)
        for layout, arguments in LAYOUTS.items():
            for limit in limits:
                for overflow in ("wrap", "fit"):
                    start = time.monotonic()
                    _, output, errors = run(
                        options.tabler, [*arguments, "--overflow", overflow, "--width", str(limit), path])
                    seconds[layout, limit] += time.monotonic() - start
                    counts[layout, limit] += 1
                    if "columns shown" in errors:
                        counts[layout, limit, "left out"] += 1
                    if "titles cut" in errors or "title cut" in errors:
                        counts[layout, limit, "titles cut"] += 1
                    for finding in findings(layout, limit, overflow, columns, output, errors):
                        found += 1
                        print(f"{path}: {layout} {overflow} {limit}: {finding}")
    print(f"\n{files} files, {counts['refused or empty']} refused or empty, {found} findings")
    print("| layout | width | runs | columns left out | titles cut | seconds |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for layout in LAYOUTS:
        for limit in limits:
            key = (layout, limit)
            print(
                f"| {layout} | {limit} | {counts[key]} | {counts[(*key, 'left out')]} "
                f"| {counts[(*key, 'titles cut')]} | {seconds[key]:.1f} |")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
