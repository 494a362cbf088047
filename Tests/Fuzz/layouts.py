#!/usr/bin/env python3
"""Draws three tables in every combination of layout, form and features, and reads each drawing back.

    layouts.py --tabler PROGRAM [--pandoc PROGRAM] [--seed TEXT] [--only WORD] [--self-test]

The features are sections, footer, marks, wrap, spacing, selection and row names, each on or off; borders, ASCII, color
and the kinds of each feature vary from one combination to the next, the same way for the same seed.

What must hold:
  1. Status 0, or 1 where --validate finds something.
  2. Text: no line ends in blanks but those a background fills; all lines of a frame are equally wide, each character of
     a frame meets its neighbours in their weight, and lines are no longer than --width or a warning says so.
  3. Text: titles, cells, marks, headings and footers stand there in order, each grapheme once, none split by a wrapped
     line. A cut one ends in …, and a message counts them. Not checked: truncated to less than 4 cells,
     and whether the mark of a title has room in a given width.
  4. Text in color: a terminal (pyte) shows each character where its width puts it, and no line leaves a style behind.
  5. Markdown, pandoc and HTML: cmark-gfm, pandoc and html5lib (which stops at every parse error) read exactly the titles,
     cells, marks, headings and footers, title and caption. A pandoc before version 3 knows no foot of a grid table.

Widths are those of the wcwidth package for one code point. Debian's old version knows no sequences, so an emoji sequence
(ZWJ, flag, VS16, skin tone) is 2 here, as in every newer one. --self-test damages outputs by one character and fails
unless the laws notice.
"""

import itertools
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
import xml.etree.ElementTree as ElementTree

import html5lib
import pyte
from wcwidth import wcwidth

import harness
from drawings import alignment_law, arms, joint_law

LAYOUTS = ["list", "stack", "grid", "detail"]
FORMS = ["text", "markdown", "pandoc", "html"]
FEATURES = ["sections", "footer", "marks", "wrap", "spacing", "selection", "names"]
NAMES = ["id", "name", "weight", "color", "kind"]

# ----------------------------------------------------------------------------------------------------------------- data

DATA = {
    "fruit": [
        ["🍌", "Banana", "118", "brown", "berry"], ["🍓", "Strawberry", "12", "red", "berry"],
        ["🍊", "Orange", "190", "orange", "citrus"], ["🥝", "Kiwi", "75", "green", "berry"],
        ["🍇", "Grape", "7", "purple", "berry"], ["🫐", "Blueberry", "2", "blue", "berry"],
    ],
    "scripts": [
        ["a|b", "漢字かな交じり文、長い。", "30", "👨\u200d👩\u200d👧 family", "x"],
        ["*b*", "first line\nsecond | line", "4", "🇩🇪🇫🇷 flags", "x"],
        ["`c|`", "<b>bold</b> &amp; [a](b)", "30", "e\u0301a\u0300o\u0308 combined", "ש"],
        ["\\|", "שלום עולם", "5", None, "ש"],
        ["$x$ $y$", "مرحبا", "", "❤\ufe0f👍🏽1\ufe0f\u20e3", "x"],
        ["", "한국어 ᄒ\u1161\u11ab", "-6", "tab\there", ""],
        ["_e_", "नमस्ते", None, "red\x1b[31m", None],
        ["#", "~~s~~ http://a.b", "7", "1. x", "x"],
    ],
    "numbers": [
        ["1", "-0.1234567890123456", "1234567890123456", "1e-7", "A"], ["2", "+5", "9007199254740993", "NA", "A"],
        ["3", "12345678901234567", "9007199254740992", "-1E+20", "B"], ["4", ".5", "-17", "5.", "B"],
        ["5", "0", "0", "08", "A"],
    ],
}


def write_data(folder):
    for name, rows in DATA.items():
        with open(os.path.join(folder, name), "w") as file:
            for row in rows:
                record = dict(zip(NAMES, row))
                text = json.dumps(record, ensure_ascii=False)
                file.write(re.sub(r'"weight": "(-?\d+)"', r'"weight": \1', text) + "\n")


# --------------------------------------------------------------------------------------------------------- combinations

class Combination:
    """One run: its options and what they must show."""

    def __init__(self, seed, has_feet, data, layout, form, features):
        self.data, self.layout, self.form, self.features = data, layout, form, features
        self.name = "%s %s %s %s" % (data, layout, form, "+".join(features) or "plain")
        self.random = random.Random("%s %s" % (seed, self.name))
        choose = self.random.choice
        is_text, is_table = form == "text", layout != "detail"
        self.words = ["--" + layout, "-t", form, "--from", "jsonl", "-q"]
        self.width = self.overflow = None
        self.border, self.ascii, self.color = "light", False, False
        self.items = []
        if choose([0, 0, 1]):
            self.title = "A *title*"
            self.words += ["--title", self.title]
            self.items.append(("title", [self.title]))
        if choose([0, 0, 1]):
            self.words += ["--caption", "About | it"]
            self.items.append(("caption", ["About | it"]))
        if is_text:
            self.border = choose(["light", "light", "heavy", "double", "round", "outline", "rules", "none"] +
                                 ([] if "wrap" in features else ["dots", "ascii"]))
            self.words += ["--border", self.border]
            if "wrap" not in features and choose([0, 0, 0, 1]):
                self.ascii = True
                self.words.append("--ascii")
        elif form == "html" and choose([0, 0, 0, 1]):
            has_classes = {"sections", "marks", "selection"} & set(features)
            self.words += ["--html-style", "none" if has_classes else choose(["inline", "none"])]
        rows = [list(row) for row in DATA[data]]
        sort = []
        invalid = None
        self.indicators = {}
        neutral = ""
        if "marks" in features:
            up, down, rank = ("^", "v", "12") if self.ascii else ("▲", "▼", "¹²")
            keys = choose([["-weight"], ["kind", "-weight"], ["weight"]])
            ranked = is_table and choose([0, 1])
            self.words += ["--sort", ",".join(keys)]
            if ranked:
                self.words.append("--sort-rank")
            if is_table and choose([0, 0, 1]):
                neutral = "o"
                self.words += ["--sort-indicator-neutral", neutral]
            for key in reversed(keys):
                rows = order(rows, NAMES.index(key.lstrip("-")), key.startswith("-"))
            if is_table:
                for name in NAMES:
                    self.indicators[name] = neutral
                for index, key in enumerate(keys):
                    name = key.lstrip("-")
                    self.indicators[name] = (down if key.startswith("-") else up)
                    if ranked:
                        self.indicators[name] += rank[index]
            kind = choose(["validate", "cell", "both"])
            if kind != "cell":
                self.words += ["--validate", 'weight: value > 5, "small"']
                invalid = "!" if self.ascii else "⚠"
            if kind != "validate":
                self.words += ["--cell", choose(["name: bold", "color: italic", "id: fg=red strike"])]
                if is_table:
                    self.words.append("--zebra")
            if is_text and choose([0, 1]):
                self.color = True
                self.words += ["--color", "always"]
            if is_text and choose([0, 0, 0, 1]):
                self.words += ["--row-overlay", "weight > 20 -> box"]
        if "wrap" in features:
            self.overflow = choose(["wrap", "wrap", "truncate", "fit"])
            self.width = self.random.randint(1, 60)
            self.words += ["--width", str(self.width), "--overflow", self.overflow]
        if "spacing" in features:
            row = ["--row-spacing", choose(["1", "2"])]
            column = ["--column-spacing", choose(["1", "3"])]
            header = ["--header-spacing", "1", "--footer-spacing", "1"]
            self.words += {"list": row + column + header, "stack": row + column + header + ["--row-padding", "1 2"],
                           "grid": header + ["--item-padding", choose(["0 2", "1 1", "0"])],
                           "detail": ["--row-padding", "1 2"]}[layout]
        selected = []
        style = "marker"
        if "selection" in features:
            selected = [1, len(rows) - 1]
            style = choose(["marker", "background", "overlay"])
            self.words += ["--select", "2,-1", "--selection-style", style]
        columns = list(range(len(NAMES)))
        heads, naming = [], None
        if "names" in features:
            naming = choose(["name", "kind,id", "numbers", "template"])
            if naming == "numbers":
                self.words.append("--row-numbers")
                heads = [("", lambda row, number: str(number))]
            elif naming == "template":
                self.words += ["--row-names", "Row {n}"]
                heads = [("", lambda row, number: "Row %d" % number)]
            else:
                self.words += ["--row-names", naming]
                first = [NAMES.index(name) for name in naming.split(",")]
                columns = first + [index for index in columns if index not in first]
        self.heads = len(heads)
        show = shown_cell(form)
        titles = [title for title, _ in heads] + [NAMES[index] for index in columns]
        marks = [""] * len(heads) + [self.indicators.get(NAMES[index], "") for index in columns]
        self.columns = len(titles)
        self.head = list(zip(titles, marks))
        section_footer = section_header = footer = None
        if "sections" in features:
            section_header = choose(["{section}", "{section}", "In {section}: *all*"])
            self.words += ["--section-by", "kind"]
            if section_header != "{section}":
                self.words += ["--section-header", section_header]
            section_footer = choose([None, "{count()} in *it*"] + (["titles", "totals"] if is_table and data == "fruit" else []))
            if section_footer:
                self.words += ["--section-footer", section_footer]
        if "footer" in features and is_table and (has_feet or (layout, form) != ("grid", "pandoc")):
            footer = choose(["titles", "count"] + (["totals"] if data == "fruit" else []))
            self.words += ["--footer", "name={count()} | *all*" if footer == "count" else footer]

        # What is to be seen, in order. A cell is its text and its mark.
        def total(part):
            return [(str(sum(int(row[2]) for row in part)) if NAMES[index] == "weight" else "", "") for index in columns]

        def foot(kind, part):
            if kind == "titles":
                return list(self.head)
            if kind == "totals":
                return [("", "")] * len(heads) + total(part)
            return [("", "")] * len(heads) + [("%d | *all*" % len(part) if NAMES[index] == "name" else "", "") for index in columns]

        if is_table:
            self.items.append(("head", self.head))
        part = []
        for number, row in enumerate(rows):
            if section_header and (number == 0 or (rows[number - 1][4] or "") != (row[4] or "")):
                part = [row]
                value = show(row[4])
                empty = row[4] in (None, "")
                text = ("NA" if empty else value) if section_header == "{section}" else "In %s: *all*" % ("NA" if empty else value)
                self.items.append(("section", [text]))
            else:
                part.append(row)
            cells = [(make(row, number + 1), "") for _, make in heads]
            for index in columns:
                mark = ""
                if NAMES[index] == "weight" and invalid and not is_valid(row[2]):
                    mark = invalid
                cells.append((show(row[index]), mark))
            is_selected = number in selected
            if is_table:
                self.items.append(("row", (is_selected, cells)))
            else:
                title = "(row %d)" % (number + 1)
                fields = list(zip(NAMES, [cell for cell in cells[len(heads):]])) if not naming or heads else \
                    [(NAMES[index], cell) for index, cell in zip(columns, cells)]
                if naming == "template":
                    title = "Row %d" % (number + 1)
                elif naming not in (None, "numbers"):
                    first = naming.split(",")
                    title = self.card_title([cells[at][0] for at in range(len(first))], title)
                    fields = fields[len(first):]
                self.items.append(("card", (is_selected, title, fields)))
            last = number + 1 == len(rows) or (rows[number + 1][4] or "") != (row[4] or "")
            if section_footer and last:
                if section_footer in ("titles", "totals"):
                    self.items.append(("foot", foot(section_footer, part)))
                else:
                    self.items.append(("remark", ["%d in *it*" % len(part)]))
        if footer:
            self.items.append(("tfoot", foot(footer, rows)))
        self.selected, self.style = selected, style
        self.status = int(invalid is not None and not all(is_valid(row[2]) for row in rows))
        if self.overflow:
            self.words.remove("-q")

    def card_title(self, names, title):
        end = "↵" if self.form == "text" else "\n"
        return " ".join(name.replace("\n", end) for name in names if name) or title

    def run(self, tabler, folder):
        return subprocess.run([tabler] + self.words + [self.data], cwd=folder, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})


def order(rows, index, is_descending):
    """A stable sort: numbers by value, then text by its bytes, then nulls."""
    def key(row):
        if re.fullmatch(r"[+-]?\d+", row[index]):
            return 0, int(row[index]), b""
        return 1, 0, row[index].encode()
    full = [row for row in rows if row[index] is not None]
    if is_descending:
        full = sorted(reversed(full), key=key)[::-1]
    else:
        full = sorted(full, key=key)
    return full + [row for row in rows if row[index] is None]


def is_valid(weight):
    return weight is not None and bool(re.fullmatch(r"[+-]?\d+", weight)) and int(weight) > 5


def shown_cell(form):
    def show(cell):
        if cell is None:
            return "NA"
        if form == "text":
            return cell.replace("\x1b", "\\x1b").replace("\t", "    ")
        return cell.replace("\x1b", "\ufffd")
    return show


def combinations(seed, has_feet):
    for data, layout, form in itertools.product(DATA, LAYOUTS, FORMS):
        yield [Combination(seed, has_feet, data, layout, form, [name for name, on in zip(FEATURES, bits) if on])
               for bits in itertools.product([False, True], repeat=len(FEATURES))]


# ----------------------------------------------------------------------------------------------------------------- text

STYLE = re.compile("\x1b\\[[0-9;]*m")


def clusters(text):
    """The grapheme clusters of the characters that occur in the data."""
    found = []
    for character in text:
        last = found[-1] if found else ""
        code = ord(character)
        flag = 0x1F1E6 <= code <= 0x1F1FF and len(last) == 1 and 0x1F1E6 <= ord(last) <= 0x1F1FF
        joined = unicodedata.category(character)[0] == "M" or character == "\u200d" or last.endswith("\u200d")
        jamo = last and 0x1100 <= ord(last[0]) <= 0x115F and 0x1160 <= code <= 0x11FF
        if last and last != "\n" and (flag or joined or jamo or 0x1F3FB <= code <= 0x1F3FF):
            found[-1] += character
        else:
            found.append(character)
    return found


def width(cluster):
    if len(cluster) > 1 and (re.search("[\u200d\ufe0f\U0001F3FB-\U0001F3FF\U0001F1E6-\U0001F1FF]", cluster)):
        return 2
    if "\u1100" <= cluster[0] <= "\u115f":
        return 2
    return sum(max(wcwidth(character), 0) for character in cluster)


def cells_of(line):
    """The line as a terminal shows it: each cluster in its cell, an empty text in the second cell of a wide one."""
    cells = []
    for cluster in clusters(line):
        cells += [cluster] + [""] * (width(cluster) - 1) if width(cluster) else []
    return cells


def is_framed(combination):
    return combination.layout == "grid" and combination.border not in ("none", "rules", "dots", "ascii") and not combination.ascii


def has_box(combination):
    return "box" in " ".join(combination.words) or "overlay" in combination.words


def text_laws(combination, output, errors):
    if not output.endswith("\n"):
        return "the last line has no end"
    raw = output[:-1].split("\n")
    lines = [STYLE.sub("", line) for line in raw]
    for line, styled in zip(lines, raw):
        if line != line.rstrip(" ") and not re.search("\x1b\\[[0-9;]*(4[0-9]|10[0-7]|7)[;0-9]*m", styled):
            return "blanks at the end of %r" % styled
        if combination.width and len(cells_of(line)) > combination.width and "wider than the width" not in errors:
            return "%d cells in a width of %d: %r" % (len(cells_of(line)), combination.width, line)
    if is_framed(combination):
        grid = [cells_of(line) for line in lines]
        first = next(at for at, line in enumerate(lines) if re.match(r" *[┌┏╔╭]", line))
        framed = grid[first:]
        if not has_box(combination) and len({len(line) for line in framed}) > 1:
            return "lines of the frame are %s cells wide" % sorted({len(line) for line in framed})
        reason = joint_law(framed, first) or not has_box(combination) and alignment_law(framed)
        if reason:
            return reason
    return content_law(combination, lines, errors) or (combination.color and combination.data != "scripts" and
                                                      screen_law(raw, lines)) or None


def screen_law(raw, lines):
    cells = [cells_of(line) for line in lines]
    screen = pyte.Screen(max(map(len, cells), default=1) + 2, len(lines) + 1)
    stream = pyte.Stream(screen)
    for y, line in enumerate(raw):
        stream.feed(line)
        attributes = screen.cursor.attrs
        if (attributes.fg, attributes.bg, attributes.bold, attributes.reverse) != ("default", "default", False, False):
            return "line %d leaves a style behind" % (y + 1)
        row = [screen.buffer[y][x].data for x in range(len(cells[y]))]
        if row != cells[y] or "".join(screen.buffer[y][x].data for x in range(len(row), screen.columns)).strip():
            return "line %d on a screen: %r" % (y + 1, "".join(row))
        stream.feed("\r\n")
    return None


def content_law(combination, lines, errors):
    """Takes the items from the lines in order, each grapheme once."""
    if combination.overflow == "truncate" and combination.width < 4:
        return None  # nearly all cells are a lone …
    drop = set("|:.+-=_'") if combination.ascii or combination.border in ("ascii", "dots") else set()
    kept = []
    for line in lines:
        plain = "".join(c for c in line if not "\u2500" <= c <= "\u257f" and c not in drop)
        if plain.strip():
            kept.append(plain)

    def clean(text):
        return [cluster for cluster in clusters("".join(c for c in text if c not in drop)) if cluster == "\n" or cluster.strip()]

    has_cut = " cut to fit" in errors
    counted = re.search(r"(\d+) cells? cut to fit", errors)
    if combination.overflow == "truncate" and combination.data != "scripts" and "columns shown" not in errors:
        # Where a cell is one line, each that is cut has one …; a title without room for its sign only is counted, too.
        found = sum(line.count("..." if combination.ascii else "…") for line in lines)
        said = int(counted[1]) if counted else 0
        heads = sum(kind == "head" or value == combination.head for kind, value in combination.items)
        if not found <= said <= found + heads * sum(map(bool, combination.indicators.values())):
            return "%d cells are cut, but %d are counted" % (found, said)
    cut = [c for c in ("..." if combination.ascii else "…") if c not in drop]
    shown = re.search(r"note: (\d+) of (\d+) columns shown", errors)
    subsets = [None]
    if shown:
        places = range(combination.columns)
        subsets = [set(places) - set(gone) for gone in itertools.combinations(places, int(shown[2]) - int(shown[1]))]
    reasons = []
    for subset in subsets:
        reason = take(combination, kept, clean, has_cut, cut, subset)
        if reason is None:
            return None
        reasons.append(reason)
    return reasons[0] if len(reasons) == 1 else "no choice of columns fits: %s" % reasons[-1]


def take(combination, lines, clean, has_cut, cut, subset):
    at = 0
    dots = "..." if combination.ascii else "…"

    def chosen(cells, left_out=dots):
        if subset is None:
            return cells
        out, is_first = [], True
        for index, cell in enumerate(cells):
            if index in subset:
                out.append(cell)
            elif is_first:
                out.append((left_out, ""))
                is_first = False
        return out

    for kind, value in combination.items:
        texts = []
        if kind in ("title", "caption", "section", "remark"):
            texts = [value[0]]
        elif kind in ("head", "foot", "tfoot"):
            for text, mark in chosen(value, dots if kind == "head" or value == combination.head else ""):
                texts += [text, mark]
        elif kind == "row":
            is_selected, cells = value
            texts = [gutter(combination)] if is_selected and gutter(combination) else []
            for text, mark in chosen(cells):
                texts += [text, mark]
        if kind == "card":
            is_selected, title, fields = value
            parts = [[gutter(combination) if is_selected else "", title]]
            parts += [[name, text, (mark + "small") if mark else ""] for name, (text, mark) in fields]
        else:
            parts = [texts]
        for texts in parts:
            state = {tuple(tuple(clean(text)) for text in texts)}
            if not has_cut:
                state = {tuple(tuple(c for c in text if c != "\n") for text in texts) for texts in state}
            if kind in ("head", "foot", "tfoot"):
                state |= {tuple(one + other for one, other in zip(left[::2], left[1::2])) for left in state}
            start = at
            may_lack = combination.width and kind in ("head", "foot", "tfoot")  # the mark of a title that has no room
            while not any(all(not any(c != "\n" for c in text) for text in (left[::2] if may_lack and len(left) == len(texts) else left))
                          for left in state):
                if at == len(lines):
                    return "%s %r: the lines end" % (kind, texts)
                state = {after for left in state for after in step(left, tuple(clean(lines[at])), has_cut, tuple(cut))}
                if not state:
                    return "%s %r: not in the lines %r" % (kind, texts, lines[start:at + 1])
                at += 1
            while may_lack and at < len(lines):
                state = {after for left in state for after in step(left, tuple(clean(lines[at])), has_cut, tuple(cut))}
                if not state:
                    break
                at += 1
    if at < len(lines):
        return "more than was given: %r" % lines[at:at + 3]
    return None


def gutter(combination):
    if combination.style == "marker" or combination.style == "background" and not combination.color:
        return ">" if combination.ascii or combination.border == "ascii" else "▶"
    return ""


def step(left, line, has_cut, cut):
    """What may be left of the texts after a line that holds the next piece of each of them, from left to right."""
    states = {((), line)}
    for text in left:
        following = set()
        for done, rest in states:
            body = text[1:] if text[:1] == ("\n",) and has_cut else text
            following.add((done + (text,), rest))
            for count in range(len(body) + 1):
                if count and (count > len(rest) or rest[count - 1] != body[count - 1]):
                    break
                if count:
                    following.add((done + (body[count:],), rest[count:]))
                if has_cut and rest[count:count + len(cut)] == cut and count < len(body):
                    end = body.index("\n", count) if "\n" in body[count:] else len(body)
                    following.add((done + (body[end:],), rest[count + len(cut):]))
                if count < len(body) and body[count] == "\n":
                    break
        states = following
    return {done for done, rest in states if not rest}


# ----------------------------------------------------------------------------------------------------- Markdown and HTML

def normal(text):
    lines = [re.sub("[ \t]+", " ", line).strip(" ") for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def expected(combination):
    """The items as the form holds them: kinds and texts."""
    form, found = combination.form, []
    is_html = form == "html"
    has_column = bool(combination.selected) and not is_html

    def joined(cells):
        return [normal(text + (" " + mark if mark else "")) for text, mark in cells]

    lead = [""] if has_column else []
    for kind, value in combination.items:
        if kind in ("title", "caption"):
            if kind == "title":
                kind = "heading" if form != "markdown" else "strong"
            elif not is_html:
                kind = "strong" if form == "markdown" or combination.layout == "detail" else "caption"
            if is_html and combination.layout == "detail" and kind == "caption":
                kind = "caption"
            found.append((kind, [normal(value[0])]))
        elif kind == "head":
            found.append(("head", lead + joined(value)))
        elif kind in ("section", "remark"):
            text = normal(value[0])
            if combination.layout == "detail":
                found.append(("heading" if kind == "section" else "strong", [text]))
            elif is_html:
                found.append((kind, [text]))
            else:
                found.append(("strong", lead + [text] + [""] * (combination.columns - 1)))
        elif kind == "row":
            is_selected, cells = value
            if has_column:
                lead_row = ["▶" if is_selected else ""]
            else:
                lead_row = ["selected"] if is_html and is_selected else []
            found.append(("row", lead_row + joined(cells)))
        elif kind in ("foot", "tfoot"):
            kind = kind if is_html else "foot" if (form, combination.layout, kind) == ("pandoc", "grid", "tfoot") else "strong"
            found.append((kind, lead + joined(value)))
        elif kind == "card":
            is_selected, title, fields = value
            if is_html:
                title += " (selected)" if is_selected else ""
            elif is_selected:
                title = "▶ " + title
            found.append(("heading", [normal(title)]))
            found += [("field", [name, normal(text + (" %s small" % mark if mark else ""))]) for name, (text, mark) in fields]
    return found


def read_cmark(documents):
    text = "".join("\n\n# B%d\n\n%s\n" % pair for pair in enumerate(documents))
    run = subprocess.run(["cmark-gfm", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-t", "xml"], input=text.encode(),
                         capture_output=True, check=True)
    space = "{http://commonmark.org/xml/1.0}"

    def flat(node):
        """The text of a node, and whether all of it is bold."""
        out, plain = "", ""
        for child in node:
            kind = child.tag.removeprefix(space)
            if kind in ("text", "softbreak"):
                part = child.text or ("\n" if kind == "softbreak" else "")
                plain += part
            elif kind == "html_inline" and child.text == "<br>":
                part = "\n"
            elif kind in ("strong", "emph", "strikethrough"):
                part = flat(child)[0]
                plain += "" if kind == "strong" else part
            else:
                part = "<%s>" % kind
            out += part
        return out, bool(out.strip()) and not plain.strip()

    found = []
    for block in ElementTree.fromstring(run.stdout.decode()):
        kind = block.tag.removeprefix(space)
        if kind == "heading" and re.fullmatch(r"B\d+", flat(block)[0]):
            found.append([])
        elif kind == "table":
            is_card = not any(flat(cell)[0] for cell in block[0])
            for row in block[1:] if is_card else block:
                cells = [flat(cell) for cell in row]
                is_strong = all(strong or not text for text, strong in cells) and any(text for text, _ in cells)
                name = "field" if is_card else "head" if row.tag.endswith("header") else "strong" if is_strong else "row"
                found[-1].append((name, [normal(text) for text, _ in cells]))
        elif kind == "paragraph":
            text, strong = flat(block)
            found[-1].append(("strong" if strong else "paragraph", [normal(text)]))
        else:
            found[-1].append((kind, [normal(flat(block)[0])]))
    return found


def read_pandoc(pandoc, documents):
    text = "".join("\n\n# B%d\n\n%s\n" % pair for pair in enumerate(documents))
    run = subprocess.run([pandoc, "-f", "markdown", "-t", "json"], input=text.encode(), capture_output=True, check=True)

    def flat(items):
        out, plain = "", ""
        for item in items:
            kind, content = item["t"], item.get("c")
            if kind in ("Str", "Space", "LineBreak"):
                part = content if kind == "Str" else " " if kind == "Space" else "\n"
                plain += part
            elif kind == "Span" and not content[1]:
                part = ""
            elif kind in ("Strong", "Emph", "Strikeout"):
                part = flat(content)[0]
                plain += "" if kind == "Strong" else part
            elif kind == "SoftBreak":
                part = " "
            else:
                part = "<%s>" % kind
            out += part
        return out, bool(out.strip()) and not plain.strip()

    def cell(blocks):
        if not blocks:
            return "", False
        if len(blocks) > 1 or blocks[0]["t"] not in ("Plain", "Para"):
            return "<%s>" % json.dumps(blocks), False
        return flat(blocks[0]["c"])

    found = []
    for block in json.loads(run.stdout)["blocks"]:
        kind, content = block["t"], block.get("c")
        if kind == "Header" and re.fullmatch(r"B\d+", flat(content[2])[0]):
            found.append([])
        elif kind == "Table":
            _, caption, _, head, bodies, foot = content
            if caption[1]:
                found[-1].append(("caption", [normal(cell(caption[1])[0])]))
            for name, rows in [("head", head[1])] + [("row", body[3]) for body in bodies] + [("foot", foot[1])]:
                for row in rows:
                    cells = [cell(each[4]) for each in row[1]]
                    is_strong = all(strong or not text for text, strong in cells) and any(text for text, _ in cells)
                    found[-1].append(("strong" if is_strong and name == "row" else name, [normal(text) for text, _ in cells]))
        elif kind == "DefinitionList":
            found[-1] += [("field", [flat(term)[0], normal(cell(values[0])[0])]) for term, values in content]
        elif kind == "Header":
            found[-1].append(("heading", [normal(flat(content[2])[0])]))
        elif kind in ("Para", "Plain"):
            text, strong = flat(content)
            found[-1].append(("strong" if strong else "paragraph", [normal(text)]))
        else:
            found[-1].append((kind, []))
    return found


def read_html(text):
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)

    def flat(node):
        out = node.text or ""
        for child in node:
            if child.get("class") == "hide" and node.tag not in ("h2", "h3"):
                part = " " + child.text.strip() if node.tag == "dd" else ""
            elif child.tag == "br":
                part = "\n"
            elif child.get("class") == "mark":
                part = " " + (child.text or "")
            else:
                part = flat(child)
            out += part + (child.tail or "")
        return out

    found = []
    for node in page.iter():
        if node.tag in ("h1", "h2", "h3"):
            found.append(("heading", [normal(flat(node))]))
        elif node.tag == "caption":
            found.append(("caption", [normal(flat(node))]))
        elif node.tag == "p":
            found.append(("caption" if "caption" in (node.get("class") or "") else "strong", [normal(flat(node))]))
        elif node.tag == "dl":
            names, values = node.findall("dt"), node.findall("dd")
            found += [("field", [flat(a), normal(flat(b))]) for a, b in zip(names, values)]
        elif node.tag in ("thead", "tbody", "tfoot"):
            for row in node:
                kinds = (row.get("class") or "").split()
                cells = [normal(flat(cell)) for cell in row]
                if "sel" in kinds:
                    cells.insert(0, "selected")
                name = {"thead": "head", "tfoot": "tfoot"}.get(node.tag, "row")
                if name == "row" and row[0].get("scope") == "rowgroup":
                    name = "section"
                elif name == "row" and "sum" in kinds:
                    name = "remark" if row[0].get("colspan") else "foot"
                found.append((name, cells))
    return found


# ------------------------------------------------------------------------------------------------------------------ runs

def read_all(pandoc, form, outputs):
    if form == "markdown":
        return read_cmark(outputs)
    if form == "pandoc":
        return read_pandoc(pandoc, outputs)
    found = []
    for output in outputs:
        try:
            found.append(read_html(output))
        except Exception as error:
            found.append([("not HTML: %r" % error, [])])
    return found


def compare(wanted, found):
    if wanted == found:
        return None
    for one, other in itertools.zip_longest(wanted, found):
        if one != other:
            return "expected %r\n  found    %r" % (one, other)
    return None


def check(job):
    """Runs the combinations of one table, layout and form: those that break a law, and how."""
    tabler, pandoc, folder, group = job
    runs = [(combination, combination.run(tabler, folder)) for combination in group]
    wrong, read = [], []
    for combination, run in runs:
        if run.returncode != combination.status:
            wrong.append((combination, "status %d: %s" % (run.returncode, run.stderr.decode())))
        elif combination.form == "text":
            reason = text_laws(combination, run.stdout.decode(), run.stderr.decode())
            if reason:
                wrong.append((combination, reason + "\n" + run.stdout.decode() + run.stderr.decode()))
        else:
            read.append((combination, run.stdout.decode()))
    if read:
        form = read[0][0].form
        for (combination, output), found in zip(read, read_all(pandoc, form, [output for _, output in read])):
            reason = compare(expected(combination), found)
            if reason:
                wrong.append((combination, reason))
    return len(runs), wrong


def self_test(tabler, pandoc, folder, seed, has_feet):
    """Damages outputs by a character: how many damages no law noticed."""
    missed = tried = 0
    for group in combinations(seed, has_feet):
        for combination in group[::9]:
            run = combination.run(tabler, folder)
            output, errors = run.stdout.decode(), run.stderr.decode()
            damages = []
            letters = [at for at, c in enumerate(output) if c.isalnum() and output.find(c)]
            if combination.form == "text":
                if combination.color or combination.overflow:
                    continue
                words = [match.start() for match in re.finditer("[a-z]", output)]
                at = combination.random.choice(words)
                damages = [output[:at] + output[at + 1:], output[:at] + "Z" + output[at + 1:], output.replace("\n", " \n", 1)]
                joints = [at for at, c in enumerate(output) if len(arms(c)) > 2]
                if combination.layout == "grid" and joints and combination.border == "light":
                    at = combination.random.choice(joints)
                    damages += [output[:at] + c + output[at + 1:] for c in ("─", "╋", "╬", "") if c != output[at]]
                # A cell that begins and ends one too late.
                cells = list(re.finditer("(?<=[│┃║] )([^ │┃║─━═]+) +(?= [│┃║])", output))
                if is_framed(combination) and not has_box(combination) and cells:
                    cell = combination.random.choice(cells)
                    damages.append(output[:cell.start()] + " " + cell[0][:-1] + output[cell.end():])
                failed = [text_laws(combination, damage, errors) is not None for damage in damages]
            else:
                words = [match.start() + 1 for match in re.finditer(r"[ *>](berry|citrus|orange|NA|flags|-17|08|red)\b", output)]
                at = combination.random.choice(words)
                damages = [output[:at] + "Z" + output[at:], output[:at] + output[at + 1:]]
                readings = read_all(pandoc, combination.form, damages)
                failed = [compare(expected(combination), reading) is not None for reading in readings]
            tried += len(failed)
            for damage, has_failed in zip(damages, failed):
                if not has_failed:
                    missed += 1
                    print("not noticed: %s\n%s" % (" ".join(combination.words), damage))
    print("%d damages, %d not noticed" % (tried, missed))
    return missed


def main():
    options = harness.arguments(
        __doc__, ("--pandoc", "pandoc", "what reads pandoc's tables"), ("--only", "", "a word that combinations must have"),
        ("--show", 8, "how many that break a law are shown"), ("--self-test", False, "damage outputs"), seed="layouts")
    tabler, start = options.tabler, time.monotonic()
    version = harness.run([options.pandoc, "--version"]).output
    has_feet = int(re.search(r"pandoc(?:\.exe)? (\d+)", version)[1]) >= 3
    with tempfile.TemporaryDirectory() as folder:
        write_data(folder)
        if options.self_test:
            return self_test(tabler, options.pandoc, folder, options.seed, has_feet) > 0
        jobs = []
        for group in combinations(options.seed, has_feet):
            group = [combination for combination in group if options.only in combination.name]
            if group:
                jobs.append((tabler, options.pandoc, folder, group))
        total, wrong = 0, []
        with multiprocessing.Pool(2) as pool:
            for count, found in pool.imap(check, jobs):
                total += count
                wrong += found
    for combination, reason in wrong[:options.show]:
        print("%s\n  tabler %s\n  %s\n" % (combination.name, " ".join(map(repr, combination.words)), reason))
    print("%d runs, %d break a law (%d s)" % (total, len(wrong), time.monotonic() - start))
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
