#!/usr/bin/env python3
"""Compares cells over several rows and titles over several columns with a model: --merge-repeats, --span, --header-lines.

Each round makes a table from a seed that is printed with every difference. It is drawn as text in Grid and List, as HTML and for
pandoc (a version that reads spans), and read back: text line by line, the others with all cells in the places that they cover.
With sections, ends, marks, styles and pages, from a pipe and from a file, with next to no memory and with a look-ahead.
"""
import csv
import html.parser
import io
import json
import os
import random
import re
import sys
import tempfile

import harness
from drawings import joint_law


# ---------------------------------------------------------------------------------------------------------------- the model

def repeated(rows, merged, starts, styled):
    """For each row the columns whose cells repeat the ones above them."""
    found = []
    for number, row in enumerate(rows):
        columns = set()
        for column in merged:
            if number in starts or row[column] != rows[number - 1][column]:
                break
            if (number, column) not in styled and (number - 1, column) not in styled:
                columns.add(column)
        found.append(columns if len(columns) < len(row) else set())
    return found


def levels(spans, count):
    """The lines of titles over columns, from the top: for each column its title, or None."""
    placed = []
    for columns, title in sorted(spans, key=lambda span: len(span[0])):
        level = 0
        for number, line in enumerate(placed):
            if any(line[column] is not None for column in columns):
                level = number + 1
        while len(placed) <= level:
            placed.append([None] * count)
        for column in columns:
            placed[level][column] = title
    return placed[::-1]


def segments(lines):
    """The same as lists of (title, number of columns)."""
    found = []
    for number, line in enumerate(lines):
        parts = []
        for column, title in enumerate(line):
            joined = column > 0 and title is not None and all(upper[column] == upper[column - 1] for upper in lines[:number + 1])
            if joined:
                parts[-1][1] += 1
            else:
                parts.append([title, 1])
        found.append(parts)
    return found


# ------------------------------------------------------------------------------------------------------------- what is drawn

class Page(html.parser.HTMLParser):
    """The rows of a table: for each cell its text, and how many rows and columns it covers."""

    def __init__(self, text):
        super().__init__()
        self.head, self.body, self.row, self.cell, self.is_hidden = [], [], None, None, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "tr":
            self.row = []
        elif tag in ("td", "th") and self.row is not None:
            self.cell = ["", int(attributes.get("rowspan", 1)), int(attributes.get("colspan", 1))]
        elif tag == "span":
            self.is_hidden = True

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell:
            self.row.append(tuple(self.cell))
            self.cell = None
        elif tag == "tr":
            self.body.append(self.row)
            self.row = None
        elif tag == "thead":
            self.head, self.body = self.body, []
        elif tag == "span":
            self.is_hidden = False

    def handle_data(self, text):
        if self.cell and not self.is_hidden:
            self.cell[0] += text


def covered(rows, width):
    """The texts of a grid of cells; a place that a cell covers besides its first has None. None if places overlap or are free."""
    grid = [[Ellipsis] * width for _ in rows]
    for number, row in enumerate(rows):
        column = 0
        for text, height, breadth in row:
            while column < width and grid[number][column] is not Ellipsis:
                column += 1
            for down in range(height):
                for right in range(breadth):
                    if number + down >= len(rows) or column + right >= width or grid[number + down][column + right] is not Ellipsis:
                        return None
                    grid[number + down][column + right] = None
            grid[number][column] = text
    return None if any(Ellipsis in row for row in grid) else grid


def text_of(content):
    """The text of a block or an inline of pandoc."""
    if isinstance(content, list):
        return "".join(map(text_of, content))
    if content["t"] == "Str":
        return content["c"]
    if content["t"] in ("Space", "SoftBreak", "LineBreak"):
        return " "
    return text_of(content["c"]) if isinstance(content.get("c"), list) else ""


def pandoc_rows(pandoc, document):
    """The rows of the head and of the body as pandoc reads them."""
    ended = harness.run([pandoc, "-f", "markdown", "-t", "json"], document)
    _, _, _, head, bodies, _ = json.loads(ended.bytes)["blocks"][0]["c"]
    cells = lambda rows: [[(text_of(cell[4]).strip(), cell[2], cell[3]) for cell in row[1]] for row in rows]
    return cells(head[1]), cells([row for body in bodies for row in body[3]])


def head_grid(lines, titles):
    """The head as a grid of cells covers it: a title of a column begins on the first line above it that has no title for it."""
    parts = segments(lines)
    grid = []
    for number, line in enumerate(parts):
        row, column = [], 0
        for title, count in line:
            if title is not None:
                row += [title] + [None] * (count - 1)
            elif any(lower[column] is not None for lower in lines[number:]):
                row.append("")
            elif number == 0 or any(upper[column] is not None for upper in lines[number - 1:number]):
                row.append(titles[column])
            else:
                row.append(None)
            column += count
        grid.append(row)
    grid.append([None if lines and lines[-1][column] is None else title for column, title in enumerate(titles)])
    return grid


# ------------------------------------------------------------------------------------------------------------------- rounds

class Round:
    """One table and its options."""

    def __init__(self, seed, number):
        rng = self.rng = random.Random(f"{seed} {number}")
        self.width = rng.randint(2, 6)
        self.titles = [f"c{column}" for column in range(self.width)]
        count = rng.choice([0, 1, 2, 5, 12, 40, 300])
        self.rows = [[rng.choice(["a", "b", "日", "x y", ""][:rng.randint(1, 5)]) for _ in self.titles] for _ in range(count)]
        self.merged = rng.sample(range(self.width), rng.randint(0, self.width))
        self.spans = []
        for place in range(rng.choice([0, 0, 1, 2, 3])):
            columns = sorted(rng.sample(range(self.width), rng.randint(1, self.width)))
            if rng.random() < 0.7:
                columns = list(range(columns[0], columns[-1] + 1))
            self.spans.append((columns, rng.choice([f"t{place}", f"a title {place}", "t0"])))
        self.words = []
        if self.merged:
            self.words += ["--merge-repeats", ",".join(self.titles[column] for column in self.merged)]
        for columns, title in self.spans:
            self.words += ["--span", ",".join(self.titles[column] for column in columns) + "=" + title]
        self.starts, self.styled, self.hidden = {0}, set(), range(0)
        if rng.random() < 0.3 and self.rows:
            self.words += ["--section-by", "c0", "--section-header", "none"]
            self.starts |= {number for number in range(1, count) if self.rows[number][0] != self.rows[number - 1][0]}
        if rng.random() < 0.3:
            column = rng.randrange(self.width)
            self.words += ["--validate", f"c{column}: value != 'b'", "-q"]
            self.styled = {(number, column) for number, row in enumerate(self.rows) if row[column] in ("b", "")}
        elif rng.random() < 0.2 and count > 6:
            ends = rng.randint(1, 3)
            self.words += ["--ends", str(ends)]
            self.hidden = range(ends, count - ends)
            self.starts.add(count - ends)
        self.status = 1 if self.styled else 0
        self.words += ["--border", rng.choice(["light", "heavy", "double", "round", "outline"])]
        if rng.random() < 0.3:
            self.words += ["--row-names", "c0"]

    @property
    def data(self):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.titles, *self.rows])
        return text.getvalue()

    def expected(self):
        """For each row that is drawn its cells, None if it repeats the one above."""
        repeats = repeated(self.rows, self.merged, self.starts, self.styled)
        return [[None if column in repeats[number] else cell for column, cell in enumerate(row)]
                for number, row in enumerate(self.rows) if number not in self.hidden]


def strip_marks(text):
    return text.replace("⚠", "").strip()


def cells_of(line):
    """The cells of a line: a wide character takes two."""
    return [cell for character in line for cell in ([character, ""] if character == "日" else [character])]


def parts_of(line):
    return [strip_marks(part) for part in re.split("[│║┃]", line)[1:-1]]


def check_text(drawn, case):
    lines = drawn.splitlines()
    spans = segments(levels(case.spans, case.width))
    # A rule on top, each line of titles with a rule below it, the titles of columns, and the rule below them.
    first = 2 * len(spans) + 3
    for number, parts in enumerate([*spans, [(title, 1) for title in case.titles]]):
        texts = parts_of(lines[1 + 2 * number])
        if texts != [title or "" for title, _ in parts]:
            return f"titles {texts} {parts}"
    rows = [parts_of(line) for line in lines[first:] if line[:1] in "│║┃" and "…" not in line]
    wanted = [["" if cell is None else cell for cell in row] for row in case.expected()]
    if rows != wanted:
        return f"rows {rows[:4]} {wanted[:4]}"
    framed = [cells_of(line) for line in lines]
    return "lines of several widths" if len({len(line) for line in framed}) > 1 else joint_law(framed)


def check_cells(found, case, kind):
    head, rows = found
    expected = case.expected()
    body = covered([row for row in rows if "…" not in "".join(text for text, _, _ in row)], case.width)
    plain = [[None if cell is None else strip_marks(cell) for cell in row] for row in body] if body is not None else None
    if plain != expected:
        return f"{kind}: cells {plain and plain[:5]} {expected[:5]}"
    wanted = head_grid(levels(case.spans, case.width), case.titles)
    grid = covered(head, case.width)
    if kind == "pandoc":
        # A place without a title is one with what is below it.
        for line, below in zip(wanted[-2::-1], wanted[:0:-1]):
            for column, title in enumerate(line):
                if title == "":
                    line[column], below[column] = below[column], None
    if grid != wanted:
        return f"{kind}: head {grid} {wanted}"
    return None


def main():
    options = harness.arguments(__doc__, ("--rounds", 150, "how many tables"), ("--pandoc", "", "one that reads spans"))
    differences = comparisons = 0

    def fail(case, words, said):
        nonlocal differences
        differences += 1
        if differences <= 8:
            print(f"seed {options.seed}: {words}\n{case.data[:300]}{said}"[:1800])

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        for number in range(options.rounds):
            case = Round(options.seed, number)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(case.data)
            inputs = [([], case.data), ([path], None), (["--memory", "1K"], case.data), (["--lookahead", "3"], case.data)]
            for given, data in inputs:
                words = ["--from", "csv", "--grid", *case.words, *given]
                if "--lookahead" not in given:
                    drawn = harness.run([options.tabler, *words], data)
                    comparisons += 1
                    problem = check_text(drawn.output, case) if drawn.status == case.status else drawn.errors or f"status {drawn.status}"
                    if problem:
                        fail(case, words, f"{problem}\n{drawn.output}")
                drawn = harness.run([options.tabler, *words, "--html", "--fragment"], data)
                comparisons += 1
                page = Page(drawn.output)
                problem = check_cells((page.head, page.body), case, "html") if drawn.status == case.status else drawn.errors
                if problem:
                    fail(case, words, f"{problem}\n{drawn.output}")
            words = ["--from", "csv", "--grid", "-t", "pandoc", *(word for word in case.words if word != "-q"), "-q"]
            if options.pandoc and case.rows and "--ends" not in words and "--validate" not in words and "--section-by" not in words:
                drawn = harness.run([options.tabler, *words], case.data)
                comparisons += 1
                problem = check_cells(pandoc_rows(options.pandoc, drawn.output), case, "pandoc") if drawn.status == 0 else drawn.errors
                if problem:
                    fail(case, words, f"{problem}\n{drawn.output}")
            # Data forms have all cells, below joined titles; read back as a header of several lines they are the same table.
            drawn = harness.run([options.tabler, "--from", "csv", *(word for word in case.words if word != "-q"), "-q", "--csv"], case.data)
            found = list(csv.reader(io.StringIO(drawn.output)))
            upper = levels(case.spans, case.width)
            wanted = [" ".join([line[column] for line in upper if line[column] is not None] + [title]) for column, title in enumerate(case.titles)]
            comparisons += 1
            if found[:1] != [wanted] or found[1:] != [row for place, row in enumerate(case.rows) if place not in case.hidden]:
                fail(case, case.words, f"csv {found[:3]} {wanted}")
            if upper:
                above = [["" if title is None else title for title in line] for line in upper]
                text = io.StringIO()
                csv.writer(text, lineterminator="\n").writerows([*above, case.titles, *case.rows[:3]])
                drawn = harness.run([options.tabler, "--from", "csv", "--header-lines", str(len(upper) + 1), "--html", "--fragment"], text.getvalue())
                comparisons += 1
                lines, titles = shared_lines(upper, case.titles)
                grid, wanted = covered(Page(drawn.output).head, case.width), head_grid(lines, titles)
                if grid != wanted:
                    fail(case, ["--header-lines"], f"{grid}\n{wanted}\n{text.getvalue()}")
    print(f"seed {options.seed}: {comparisons} comparisons, {differences} differences")
    sys.exit(1 if differences or not comparisons else 0)


def shared_lines(upper, titles):
    """What a header of several lines makes of titles over columns: those over one column only are part of its own title."""
    parts = segments(upper)
    lines, own = [], [[] for _ in titles]
    for line in parts:
        row = []
        for title, count in line:
            if title is not None and count == 1:
                own[len(row)].append(title)
            row += [title if count > 1 else None] * count
        lines.append(row)
    while lines and all(title is None for title in lines[0]):
        lines.pop(0)
    return lines, [" ".join([*above, title]) for above, title in zip(own, titles)]


if __name__ == "__main__":
    main()
