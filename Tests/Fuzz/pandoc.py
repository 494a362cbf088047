#!/usr/bin/env python3
"""Checks that pandoc reads random tables back unchanged.

    pandoc.py --tabler PROGRAM [--pandoc PROGRAM] [--tables N] [--seed TEXT]

Each table is written by `tabler -t pandoc` in every layout, read by pandoc, and compared: titles, cells, headings and
footers of sections, footers, title and caption. White space at the ends of lines is not kept by any Markdown, and
several blanks are one. A pandoc before version 3 knows no foot of a grid table; there footers are left out.
"""

import json
import os
import random
import re
import sys
import tempfile

import harness

# How many tables one process of pandoc reads.
BATCH = 100
# The heading that stands between two documents.
BETWEEN = "The next document, which no table holds"

PIECES = [
    "\\", "|", "`", "*", "**", "_", "__", "~", "~~", "[", "](", "]{", "}", "{", "{#a}", "{.b}", "<b>", "</b>", "<!--", "-->",
    "&amp;", "&", "$", "$x$", "a", "b ", " ", "  ", "    ", "https://x.y/", "www.q.r", "\n", "\n\n", "\\|", "``", "!", "#",
    "# ", "-", "--", "---", "- ", "+", "+ ", "+-", "+---+", "1.", "1. ", "1)", "(1)", "(1) ", "a. ", "iv. ", "B.  ", "(@) ", "#. ",
    "@", "@a", "-@a", "a@b.c", ":", ": ", ":::", ":smile:", "...", "..", ".", "'", '"', "'x'", '"x"', "it's", "^", "^x^", "^[", "[^1]",
    "[^1]:", "[a]: ", "=", "===", "\n===", "\n---", "\n- x", "\n1. y", "\n# z", "\n> q", "\n: d", "\n    c", "%", "% ", "Mr. X", "e.g. ",
    "p. 5", "Dr.", "Table: ", "table:", "é", "e\u0301", "🍊", "漢字", "ｶ", "👩\u200d👩\u200d👧", "🇫🇷", "❤\ufe0f", "👍🏽", "1\ufe0f\u20e3", "한",
    "ᄒ\u1161", "नि", "क्ष", "\u3000", "\u00a0", "\u2003", "…", "—", "⚠", "✓", "★", "☰", "\\begin{x}", "\\newcommand{\\a}{b}", "\\(x\\)",
    "\\[x\\]", "$$", "~~~", "```", "***", "___", "| a | b |", "|--|--|", "a  b", "-- --", "/", "(", ")", ",", ";", "?", "0", "-5", "+5",
    "5.", "1.5", "x^2", "H~2~O", "http://a_b.c", "<http://a.b>", "word", "Ünï", "\u2028", "\u061c", "\u2067x", "\u202ax", "\u200b", "\ufeff",
]


def text(source):
    if source.random() < 0.15:
        return source.choice(["", "", "a", "-", "*", "1.", "#", ">", "|", "5", "-7", "NA"])
    return "".join(source.choice(PIECES) for _ in range(source.randint(0, 8)))


def shown(cell):
    """A cell as Markdown can hold it."""
    lines = [re.sub("[ \t]+", " ", line).strip(" ") for line in re.split("\r?\n", cell)]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def closed(cell):
    """What tabler adds to a cell whose bidi controls stay open."""
    return cell + "".join("\u2069" if mark == "\u2067" else "\u202c" for mark in reversed(cell)
                          if mark in "\u2067\u202a")


def inlines(items):
    out = ""
    for item in items:
        kind, content = item["t"], item.get("c")
        if kind == "Str":
            out += content
        elif kind == "Space":
            out += " "
        elif kind == "LineBreak":
            out += "\n"
        elif kind == "Strong":
            out += inlines(content)
        elif kind == "Span" and not content[1]:
            pass
        else:
            out += "<%s %s>" % (kind, json.dumps(content, ensure_ascii=False))
    return out


def blocks(items):
    if len(items) > 1 or items and items[0]["t"] not in ("Plain", "Para"):
        return "<blocks %s>" % json.dumps(items, ensure_ascii=False)
    return inlines(items[0]["c"]) if items else ""


def read(pandoc, documents):
    """What pandoc makes of each document: headings, captions, rows, definitions and paragraphs.

    It reads each file by itself, as if there were no other; between two of them stands a heading of ours.
    """
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, document in enumerate(documents):
            for name, text in [("%d-between" % number, "# %s\n" % BETWEEN), ("%d" % number, document)]:
                names.append(os.path.join(folder, name))
                with open(names[-1], "w", encoding="utf-8", newline="") as file:
                    file.write(text)
        ended = harness.run([pandoc, "--file-scope", "-f", "markdown", "-t", "json", *names], timeout=600)
    if ended.status != 0:
        raise SystemExit("pandoc: " + ended.errors)
    found = []
    for block in json.loads(ended.bytes)["blocks"]:
        kind, content = block["t"], block.get("c")
        if kind == "Header" and inlines(content[2]) == BETWEEN:
            found.append([])
            continue
        parts = found[-1]
        if kind == "Table":
            _, caption, _, head, bodies, foot = content
            if caption[1]:
                parts.append(("caption", blocks(caption[1])))
            parts += [("head", [blocks(cell[4]) for cell in row[1]]) for row in head[1]]
            parts += [("row", [blocks(cell[4]) for cell in row[1]]) for body in bodies for row in body[3]]
            parts += [("foot", [blocks(cell[4]) for cell in row[1]]) for row in foot[1]]
        elif kind == "DefinitionList":
            parts += [("field", [inlines(term), blocks(definitions[0])]) for term, definitions in content]
        elif kind == "Header":
            parts.append(("heading", inlines(content[2])))
        else:
            parts.append((kind, inlines(content) if kind in ("Para", "Plain") else content))
    if len(found) != len(documents):
        raise SystemExit("pandoc: %d documents of %d" % (len(found), len(documents)))
    return found


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'


def draw(tabler, source, has_feet):
    """One random table in one layout: the command, the data, what is expected of pandoc, and the document or the error."""
    layout = source.choice(["list", "stack", "grid", "detail"])
    width, height = source.randint(1, 4), source.randint(0, 6)
    titles = [re.sub("[\r\n]", " ", text(source)).strip() + " %d" % index for index in range(width)]
    rows = [[text(source) for _ in range(width)] for _ in range(height)]
    data = "".join(",".join(map(quoted, record)) + "\n" for record in [titles] + rows)
    words = ["-t", "pandoc", "--" + layout, "--quoted-empty", "text", "-d", ","]
    expected, title, caption = [], text(source), text(source)
    if source.random() < 0.3:
        title = "T " + title
        words.append("--title=" + title)
        expected.append(("heading", shown(title)))
    if source.random() < 0.3:
        caption = "C " + caption
        words.append("--caption=" + caption)
        expected.append(("Para" if layout == "detail" else "caption", shown(caption)))
    cells = [[closed(shown(cell)) for cell in row] for row in rows]
    names = [closed(shown(title)) for title in titles]
    if layout == "detail":
        for number, row in enumerate(cells):
            expected.append(("heading", "(row %d)" % (number + 1)))
            expected += [("field", [name, cell]) for name, cell in zip(names, row)]
    else:
        if source.random() < 0.2:
            words.append("--no-header")
        elif any(names):
            expected.append(("head", names))
        if source.random() < 0.3:
            words += ["--section-by", "$1", "--section-header", "none", "--section-footer", "{count()} *in* all"]
            sections = []
            for raw, row in zip(rows, cells):
                if not sections or sections[-1][0] != raw[0]:
                    sections.append((raw[0], []))
                sections[-1][1].append(row)
            for _, part in sections:
                expected += [("row", row) for row in part]
                expected.append(("row", ["%d *in* all" % len(part)] + [""] * (width - 1)))
        else:
            expected += [("row", row) for row in cells]
        if source.random() < 0.4 and (has_feet or layout != "grid"):
            words += ["--footer", "@1={count()} - rows"]
            kind = "foot" if layout == "grid" and rows and "--no-header" not in words else "row"
            expected.append((kind, ["%d - rows" % height] + [""] * (width - 1)))
    if "--title=" in " ".join(words) or "--caption=" in " ".join(words):
        expected = [(kind, closed(shown(value).strip() if kind == "Para" else shown(value)) if kind in ("heading", "caption", "Para") else value)
                    for kind, value in expected]
    drawn = harness.run([tabler, *words], data)
    if drawn.status != 0:
        return words, data, "status 0", "status %d: %s" % (drawn.status, drawn.errors)
    document = drawn.output
    if not rows and layout != "detail" and not document.strip():
        expected = []
    return words, data, expected, document


def normal(kind, value):
    """What pandoc read, with one blank for several."""
    if isinstance(value, list):
        return kind, [re.sub(" +", " ", cell) for cell in value]
    if isinstance(value, str):
        return kind, re.sub(" +", " ", value.strip() if kind == "Para" else value)
    return kind, value


def main():
    options = harness.arguments(
        __doc__, ("--pandoc", "pandoc", "what reads them"), ("--tables", 400, "how many"), seed="pandoc")
    version = harness.run([options.pandoc, "--version"]).output
    has_feet = int(re.search(r"pandoc(?:\.exe)? (\d+)", version)[1]) >= 3
    failures = 0
    for start in range(0, options.tables, BATCH):
        numbers = range(start, min(start + BATCH, options.tables))
        drawn = [draw(options.tabler, random.Random("%s %d" % (options.seed, number)), has_feet) for number in numbers]
        readings = read(options.pandoc, ["" if expected == "status 0" else document for _, _, expected, document in drawn])
        for number, (words, data, expected, document), reading in zip(numbers, drawn, readings):
            found = [normal(*part) for part in reading]
            if found != expected:
                failures += 1
                if failures <= 5:
                    print("table %d: tabler %s" % (number, " ".join(map(repr, words))))
                    for part in (data, expected, found, document):
                        print(part if isinstance(part, str) else "\n".join(map(repr, part)))
                    print()
    print("%d tables, %d not read back by %s" % (options.tables, failures, version.split("\n")[0]))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
