#!/usr/bin/env python3
"""Runs the program on random input, options and expressions, and checks what must hold of every run.

Options, their values and the functions are read from the program itself (`--generate markdown-options`, `--help`), so a
new option is tried as soon as it exists. Each run has a number; the seed and the number give the same run again.

What must hold:
  1. No trap and no hang: the status is 0 to 4, and an error is said.
  2. With status 2 nothing was written.
  3. The peak memory is at most the budget (--memory) and 100 MiB.
  4. A table drawn as text, Markdown or HTML holds no control character but the newline (R1).
  5. The same bytes, status and messages for a file and a pipe, in pieces, with a budget of 1 KiB and on one processor.
  6. Twice the input takes at most 2.6 times the instructions (counted by valgrind).
  7. With less memory than it takes (ulimit -v) a run ends with status 4 and a message, or as it does with more.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import harness

MEBIBYTE = 1 << 20
MARGIN = 100 * MEBIBYTE
GROWTH = 2.6
TIMEOUT = 60
SIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "side.csv")
LONGEST = 4 * MEBIBYTE


# ------------------------------------------------------------------------------------------------ the program's options

class Option:
    """An option as the program lists it: its spellings and the words that stand for its value."""

    def __init__(self, spellings, value):
        value = value.strip().strip("`")
        self.names = re.findall(r"`(-[^`]+)`", spellings)
        self.name = self.names[-1]
        self.words = [] if not value else value.replace("\\|", "|").split("|")


# ------------------------------------------------------------------------------------------------------- random inputs

TEXTS = [
    "", " ", "a", "Kiwi", "NA", "null", "true", "false", "-", "x y", "naïve", "日本語", "한국어", "🍌", "👨‍👩‍👧", "🇩🇪", "e\u0301",
    "\u202eabc", "\u2067x", "שלום", "مرحبا", "a|b", "<b>", "&amp;", "=1+1", "@x", "\x1b[31mred\x1b[0m", "\x00", "\x07",
    "\u009b31m", "\ufeff", "\u200b", "a\tb", "line\nbreak", "cr\rlf\r\n", '"', "'", '""', "`", "{x}", "{{", "}", "$x", "%d",
    "long " * 20, "x" * 200, "1,5", "2025-06-01T23:59:60.999999999+14:00", "9999-12-31", "0000-01-01",
    "-99999999999w", "%Y-%m-%d %H:%M", "month", "Europe/Berlin", "[1, [2, null]]", '{"a": {"b": "x"}, "a": 1}', "2024-02-29", "12:30:00", "1h30m", "5%", "1.5G", "a.b", "tags[0]", "--grid", "-x",
]
NUMBERS = [
    "0", "1", "-1", "+1", "007", "0.1", ".5", "5.", "-0", "1e5", "1e-3", "1E400", "-1e-400", "9007199254740993", "1e38",
    "99999999999999999999999999999999999999", "170141183460469231731687303715884105728", "0x1F", "1_000", "Infinity", "nan",
    "1.234,50", "3.14159265358979323846264338327950288419716939937510", "18446744073709551616", "1e999999999999", "--1", "1.2.3",
]
NOISE = b'abc,;|\t "\'\\\n\r\x00{}[]:.-=_#\x1b\xff\xc3\xa9\xe2\x82\xac\xf0\x9f\x8d\x8c019\x80\xc2\x9b\xef\xbb\xbf'


def cell(random):
    kind = random.random()
    if kind < 0.35:
        return random.choice(NUMBERS)
    if kind < 0.5:
        return str(random.randint(-1000, 100000))
    return random.choice(TEXTS)


def names(random, count):
    plain = ["id", "name", "weight", "color", "a", "b", "c", "x", "y", "n", "j", "key", "size", "date"]
    odd = ["net weight", "größe", "重量", "a.b", "x", "", "2", "-w", "a,b", "Use%", "or", "value", "🍌", "x_2", '"q"', "a:b"]
    return [random.choice(plain if random.random() < 0.8 else odd) for _ in range(count)]


def csv(random, titles, rows, mark=","):
    def field(text):
        if any(c in text for c in (mark, '"', "\n", "\r")) or random.random() < 0.1:
            return '"' + text.replace('"', '""') + '"'
        return text
    end = random.choice(["\n", "\n", "\r\n", "\r"])
    return end.join(mark.join(map(field, row)) for row in [titles] + rows) + random.choice([end, ""])


def tsv(random, titles, rows):
    def field(text):
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return "".join("\t".join(map(field, row)) + "\n" for row in [titles] + rows)


def value(random, depth=0):
    kind = random.random()
    if kind < 0.1 and depth < 3:
        return "[" + ",".join(value(random, depth + 1) for _ in range(random.randint(0, 4))) + "]"
    if kind < 0.2 and depth < 3:
        return record(random, names(random, random.randint(0, 4)), depth + 1)
    if kind < 0.3:
        return random.choice(["null", "true", "false"])
    if kind < 0.6:
        return random.choice(["0", "1", "-1", "0.1", "1e5", "12345678901234567890", "1E400", "-0.0", "1e-3"])
    return json.dumps(cell(random), ensure_ascii=random.random() < 0.5)


def record(random, keys, depth=0):
    return "{" + ",".join(json.dumps(key) + ":" + value(random, depth) for key in keys) + "}"


def json_lines(random, titles, count):
    lines = []
    for _ in range(count):
        keys = [title for title in titles if random.random() < 0.95]
        if random.random() < 0.05:
            keys += names(random, 1)
        lines.append(record(random, keys))
    return lines


def words(random, titles, rows):
    texts = [[re.sub(r"\s+", " ", text).strip() for text in row] for row in [titles] + rows]
    widths = [max(len(row[i]) for row in texts) + random.randint(1, 3) for i in range(len(titles))]
    return "".join("".join(t.ljust(w) for t, w in zip(row, widths)).rstrip() + "\n" for row in texts)


def drawn(random, titles, rows):
    texts = [[re.sub(r"[\s|]+", " ", text).strip() for text in row] for row in rows]
    lines = ["| " + " | ".join(re.sub(r"[\s|]+", " ", t) for t in titles) + " |", "|" + "---|" * len(titles)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in texts]) + "\n"


def damage(random, data):
    """A few bytes changed, taken away, said twice, or cut off at the end."""
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 5, 20])):
        if not data:
            break
        at = random.randrange(len(data))
        kind = random.random()
        if kind < 0.4:
            data[at] = random.choice(NOISE)
        elif kind < 0.6:
            del data[at:at + random.choice([1, 2, 10])]
        elif kind < 0.8:
            data[at:at] = bytes(random.choice(NOISE) for _ in range(random.randint(1, 5)))
        elif kind < 0.9:
            data[at:at] = data[at:at + random.randint(1, 50)]
        else:
            del data[at:]
    return bytes(data)


def table(random, rows=None, calm=False):
    """A random table in a random form: its bytes and its titles."""
    count = random.choice([1, 2, 3, 3, 4, 5, 8, 30])
    titles = names(random, count)
    height = rows if rows is not None else random.choice([0, 1, 2, 3, 5, 10, 30, 200])
    body = [[cell(random) for _ in titles] for _ in range(height)]
    form = random.choice(["csv"] * 5 + ["tsv", "jsonl", "jsonl", "json", "words", "drawn", "noise"])
    if calm and form == "noise":
        form = "csv"
    if not calm and random.random() < 0.1 and body:
        row = random.choice(body)
        row.append("more") if random.random() < 0.5 else row.pop()
    if form == "csv":
        text = csv(random, titles, body, random.choice([",", ",", ",", ";", "|", "\t"]))
    elif form == "tsv":
        text = tsv(random, titles, body)
    elif form == "jsonl":
        text = "\n".join(json_lines(random, titles, height)) + "\n"
    elif form == "json":
        text = "[" + ",\n".join(json_lines(random, titles, height)) + "]\n"
    elif form == "words":
        text = words(random, titles, [row[:len(titles)] + [""] * (len(titles) - len(row)) for row in body])
    elif form == "drawn":
        text = drawn(random, titles, body)
    else:
        return bytes(random.choice(NOISE) for _ in range(random.choice([1, 5, 20, 100, 1000]))), titles
    data = text.encode("utf-8", "surrogatepass")
    if calm:
        return data, titles
    if random.random() < 0.03:
        data = text.encode("utf-16", "surrogatepass")
    if random.random() < 0.05:
        data = b"\xef\xbb\xbf" + data
    return (damage(random, data) if random.random() < 0.3 else data), titles


def shape(random):
    """A large input of an unusual shape: pieces, and how often each comes in a row.

    What is bounded by the number of rows only would not be bounded here. The pieces are never put together, for the peak
    memory of a child counts from that of its parent.
    """
    columns = random.choice([1, 2, 300, 10_000])
    # Every cell may be drawn: no more than can be in a minute.
    rows = min(random.choice([1_000, 100_000, 400_000]), 100_000_000 // columns)
    megabytes = random.choice([1, 30, 90])
    header = ",".join(f"c{i}" for i in range(columns)) + "\n"
    keys = "{" + ",".join(f'"k{i}":{i}' for i in range(columns)) + "}\n"
    text = "x" * 1_000
    # Long records, among which all keys tie, or none: so many that they would not fit together.
    length = random.choice([300, 5_000, 14_000, 24_000, 45_000, 62_000])
    count = max(2, 160_000 // length)
    long_rows = [[(text, length), (f",{i * 7 % 5}\n", 1)] for i in range(count)]
    long_objects = [[('{"a":"', 1), (text, length), (f'","b":{i * 7 % 5}}}\n', 1)] for i in range(count)]
    shapes = [
        [(header, 1), ("1\n", rows)],
        [(header, 1), ("1," * (columns - 1) + "x\n", 2_000_000 // columns)],
        [(keys, 1), ("{}\n", rows)],
        [("".join(f'{{"k{i}":{i}}}\n' for i in range(random.choice([100, 4_000]))), 1)],
        [("[{}", 1), (",{}", rows), ("]", 1)],
        [('a,b\n1,"', 1), ("x,y\n" * 250, 1_000 * megabytes)],
        [('{"a":"', 1), (text, 1_000 * megabytes)],
        [('{"a":', 1), ("[" * 1_000, megabytes)],
        [("a  b\n", 1), (text, 1_000 * megabytes)],
        [("a\n" * 100, rows // 10)],
        [("a,b\n", 1), *[(text, 5_000), (",1\n", 1)] * 8],
        [(",".join(["x"] * columns) + "\n", 1), ("," * (columns - 1) + "\n", 100)],
        [("a\tb\n", 1), ("\t" * 1_000, megabytes)],
        [("| a | b |\n|---|---|\n", 1), ("| 1 | 2 |\n" * 10, rows // 10)],
        [("a,b\n", 1), *(piece for row in long_rows for piece in row)],
        [("a,b\n", 1), *(piece for row in long_rows for piece in row)],
        [piece for row in long_objects for piece in row],
    ]
    return random.choice(shapes)


# ------------------------------------------------------------------------------------- random expressions and patterns

def pattern(random, depth=0):
    atoms = ["a", "b", "x", ".", "\\d", "\\w+", "\\s", "\\pL", "\\p{Greek}", "[a-z]", "[^x]", "^", "$", "\\b", "é", "(?i)k", "\\.",
             "[[:alpha:]]", "[", "(", "*", "\\", "(?<n>a)", "\\x41", "{2}", "[\\d-z]", "a{2,3}", "x*?", "|"]
    parts = []
    for _ in range(random.randint(1, 5)):
        part = random.choice(atoms)
        if depth < 3 and random.random() < 0.2:
            part = "(" + pattern(random, depth + 1) + ")"
        parts.append(part + random.choice(["", "", "", "*", "+", "?", "{1,3}", "{0}", "{1000}"]))
    return random.choice(["", "|"]).join(parts) if random.random() < 0.3 else "".join(parts)


def column(random, titles):
    title = random.choice(titles) if titles and random.random() < 0.9 else random.choice(["weight", "nope", "a.b"])
    kind = random.random()
    if kind < 0.7 and re.fullmatch(r"[A-Za-z_]\w*", title, re.A):
        return title
    if kind < 0.8:
        return "$" + str(random.randint(0, 4))
    return "`" + title.replace("`", "``") + "`"


def expression(random, titles, functions, depth=0):
    def inner():
        return expression(random, titles, functions, depth + 1)
    kind = random.random()
    if depth > 4 or kind < 0.25:
        return column(random, titles)
    if kind < 0.4:
        return random.choice(NUMBERS[:20])
    if kind < 0.5:
        return "'" + random.choice(TEXTS).replace("'", "''") + "'"
    if kind < 0.515:
        return random.choice(["date '2025-06-01'", "datetime '2024-02-29T12:30:00.5+02:00'", "1d2h", "90m", "now()",
                              "duration '99999999999999999w'", "date '9999-12-31'", "datetime '0000-01-01'"])
    if kind < 0.53:
        return random.choice(["null", "true", "false", "[1, 2]", "[]", "$0", f"[{inner()}, {inner()}]"])
    if kind < 0.7:
        count = random.choice([0, 1, 1, 2, 2, 3, 4])
        return random.choice(functions) + "(" + ", ".join(inner() for _ in range(count)) + ")"
    if kind < 0.9:
        sign = random.choice("+ - * / // % ^ ++ ?? = == != <> < <= > >= and or && || like ilike in".split())
        return f"({inner()} {sign} {inner()})"
    if kind < 0.93:
        return f"({inner()} =~ /{pattern(random)}/{random.choice(['', 'i', 's', 'x'])})"
    if kind < 0.95:
        return f"({inner()} ? {inner()} : {inner()})"
    if kind < 0.97:
        return random.choice(["not ", "-", "!"]) + inner()
    if kind < 0.98:
        return f"{inner()} is {random.choice(['', 'not '])}{random.choice(['null', 'empty', 'number', 'text', 'list', 'object', 'date', 'datetime', 'duration'])}"
    if kind < 0.99:
        return f"{inner()}{random.choice(['.x', '[0]', '[-1]', '[1:2]', '[:]'])}"
    return f"case when {inner()} then {inner()} else {inner()} end"


def noise(random, text):
    """A text with a few characters changed."""
    characters = list(text)
    for _ in range(random.randint(1, 3)):
        at = random.randint(0, len(characters))
        characters[at:at + random.randint(0, 2)] = random.choice(list("()[]{},:.='\"`$@!~^&|%\\ \n\t#é🍌0a-"))
    return "".join(characters).replace("\x00", "")


def template(random, titles, functions):
    parts = []
    for _ in range(random.randint(1, 4)):
        specification = random.choice(["", "", ":.2f", ":>10", ":,", ":k", ":B", ":t", ":%", ":08d", ":x", ":e", ":^5", ":zz"])
        text = random.choice(["", "text ", "{{", "}}", "🍌", "{n}", "{letter}", "{}", "{:.0f} g"])
        parts.append(text + "{" + expression(random, titles, functions, 3) + specification + "}")
    return "".join(parts)


def key(random, titles, functions):
    target = column(random, titles).strip("`") if random.random() < 0.8 else f"({expression(random, titles, functions, 2)})"
    flags = ["", "", "", ":desc", ":number", ":text", ":natural", ":nocase", ":size", ":length", ":version", ":first", ":last", ":x"]
    return random.choice(["", "", "-", "+"]) + target + random.choice(flags)


def rule(random, titles, functions):
    """A style of rows or cells, perhaps with a condition."""
    condition = random.choice(["", "", "a > 1 -> ", "value > 2 -> ", expression(random, titles, functions) + " -> "])
    words = ["bold", "italic strike", "dim underline", "inverse", "box", "swatch", "gradient", "fg=red", "bg=#c00",
             "bar", "bar(3)", "heat", "heat(white, red)", "heat(blue, white, #c00)",
             "fg={a}", "bg={" + expression(random, titles, functions) + "}", "x"]
    return condition + " ".join(random.choice(words) for _ in range(random.randint(1, 3)))


def argument(random, word, option, titles, functions):
    """A value for what an option says it takes."""
    def columns():
        parts = [column(random, titles).strip("`") for _ in range(random.randint(1, 3))]
        return ",".join(random.choice(["", "", "!"]) + part + random.choice(["", "", "=Title", "..", "*"]) for part in parts)
    number = random.choice(["0", "1", "2", "3", "5", "10", "40", "80", "-1", "-3", "9999", "10001", "99999999999999999999", "x", ""])
    place = random.choice(["top", "bottom", "1", "before 2", "after (a = 1)", "-1", "(true)"])
    made = {
        "N": lambda: number,
        "CHAR": lambda: random.choice([",", ";", "|", "\\t", "'", '"', ".", "#", "é", "ab", ""]),
        "TEXT": lambda: random.choice(TEXTS).replace("\x00", ""),
        "LIST": columns, "COLS": columns, "ITEM": columns,
        "COL": lambda: random.choice([columns(), column(random, titles), "(" + expression(random, titles, functions) + ")"]),
        "TITLE": lambda: random.choice(["", "all", "a", *TEXTS]).replace("\x00", ""),
        "KEYS": lambda: ",".join(key(random, titles, functions) for _ in range(random.randint(1, 3))),
        "EXPR": lambda: expression(random, titles, functions),
        "ROWS": lambda: random.choice(["1", "-1", "2..3", "-3..", "..-2,1", "99", "0", "x"])
            if random.random() < 0.5 else expression(random, titles, functions),
        "COL = EXPR": lambda: random.choice(["kg", "x y", "a", "`b c`", ""]) + " = " + expression(random, titles, functions)
            + random.choice(["", "", " where " + expression(random, titles, functions), "; z = kg", "\n"]),
        "COL = EXPR [where EXPR]": lambda: "; ".join(
            column(random, titles) + " = " + expression(random, titles, functions)
            + random.choice(["", " where " + expression(random, titles, functions)]) for _ in range(random.randint(1, 2))),
        "[COL =] EXPR,...": lambda: ", ".join(
            random.choice(["n = ", "s = ", "`b c` = ", column(random, titles) + " = ", "", ""]) + random.choice([
                "7", "count", "count(*)", "sum(%s)", "first(%s)", "min(%s)", "distinct(%s)", "max(%s) ++ join_agg(%s, ',')", "n * 2"
            ]).replace("%s", expression(random, titles, functions)) for _ in range(random.randint(1, 3))),
        "COL = EXPR,...": lambda: ", ".join(
            random.choice(["n", "s", "x y", "a", "`b c`", "", column(random, titles)]) + " = " + random.choice([
                "7", "'x'", "count()", "sum(%s)", "first(%s)", "min(%s)", "distinct(%s)", "max(%s) ++ join_agg(%s, ',')", "%s"]
            ).replace("%s", expression(random, titles, functions)) for _ in range(random.randint(1, 3))),
        '[COL:] EXPR[, "TEXT"]': lambda: random.choice(["", "*: ", "a*: ", column(random, titles) + ": "])
            + random.choice(["value > 1", "unique(value)", "value is not empty", expression(random, titles, functions)])
            + random.choice(["", ', "must \\u{1b}"', ", 'x'", ", x"]),
        "TEMPLATE": lambda: template(random, titles, functions),
        "EDGES": lambda: random.choice(["0", "1", "1 2", "1,2,3,4", "top=1", "-1", "leading=2px", "1em", "99999", "x"]),
        "LEN": lambda: random.choice(["0", "1", "2", "-1", "1em", "16px", "0.5", "1e9", "x"]),
        "STYLE": lambda: random.choice(["bold", "fg=red", "bg=#c00 dim", "fg={a}", "x", "fg=bright-blue italic", ""]),
        "RULE": lambda: rule(random, titles, functions),
        "COL: EXPR": lambda: random.choice(["*", "a*", column(random, titles)]) + ": " + random.choice([
            "lower(value)", "value", "nullif(value, 'x')", expression(random, titles, functions)]),
        "COL=EPS,...": lambda: random.choice(["*", column(random, titles).strip("`")]) + "=" + random.choice(["0.5", "5%", "1e3", "-1", "x", ""]),
        "COL: RULE": lambda: random.choice(["*", "a*", column(random, titles)]) + ": " + rule(random, titles, functions),
        "COLS=TITLE": lambda: ",".join(
            random.choice(["*", "..", column(random, titles).strip("`"), column(random, titles)]) + random.choice(["=", "=", ""])
            + random.choice(["T", '"a, b"', "é 🥝", "", "\x1b[31m"]) for _ in range(random.randint(1, 3))),
        "SIZE": lambda: random.choice(["1K", "1M", "16M", "0", "1", "25%", "x"]),
        "PATH": lambda: random.choice([".", "a", "items", "a.b", "x[0]", "nope"]),
        # Nothing that a shell or a database would do: these only read the query, write something, or are missing.
        "COMMAND": lambda: random.choice([
            "true", "cat", "false", "nope --all", "echo 'name,type'", "sh -c 'echo name,type; echo a,TEXT'", "psql 'x", "", " ", "./duckdb x"]),
        "NAME": lambda: random.choice(["t", "public.orders", "a\"b", "`", "a..b", "'; drop", "\\", ""]),
        "FILE": lambda: random.choice(["/dev/null", "nope.csv", "/etc/passwd", "/etc", "-"]),
        "NAME=FILE": lambda: random.choice(["t=/dev/null", "t=nope.csv", "prices=/etc/passwd", "x", "=", "t="]),
        "/PATTERN/": lambda: random.choice([
            "/(?<a>\\S+) (?<b>.*)/", "/^(?<x>[^,]*),(?<y>.*)$/", "/(?<a>.)*/s", "/^(?<a>\\w+)(?<b>\\W?)/", "/(?<é>x)|(?<b>y)/i", "/(a)/", "/(/",
            "combined", "syslog", "x", "/", "//", ""]),
        "FILE on KEYS": lambda: random.choice(["nope.csv", "/etc/passwd", SIDE, SIDE, SIDE, SIDE]) + random.choice(
            [" on ", " on ", " on ", " ", "on"]) + ", ".join(
            column(random, titles).strip("`") + random.choice(["", " = k", " = v", "=\"a b\"", "=", " = nope"])
            for _ in range(random.randint(1, 2))),
        "NAME=TEXT": lambda: random.choice(["who=Kiwi", "n=1", "x", "=", "who="]),
        "COLS to NAME, VALUE": lambda: columns() + random.choice([" to ", " to ", " to ", " ", "to"]) + random.choice(
            ["k, v", "k,v", "k", "", "v, v", column(random, titles) + ", v", "`a to b`, \"\""]),
        "WHAT to WHERE": lambda: random.choice(["1", "2,1", "-1", "1..", "(a = 1)", "9"]) + " to " + place,
        "ITEMS": lambda: random.choice(["adaptive(1)", "adaptive(20)", "adaptive(9,30)", "adaptive(38", "adaptive(0)"])
            if random.random() < 0.3 else ",".join(
            random.choice(["4", "1", "10..30", "..5", "3..", "2..40~8", "flexible", "flexible(4,9)", "fixed(19)", "x", "9..2"])
            + random.choice(["", "", ":l", ":c", ":trailing", ":d", ":x"]) + random.choice(["", "", "+0", "+3"])
            + random.choice(["", "", "*2", "*3"]) for _ in range(random.randint(1, 3))),
        "COL:ALIGN,...": lambda: column(random, titles).strip("`") + ":" + random.choice(["l", "center", "trailing", "decimal", "x"]),
        "COL=FORMAT,...": lambda: column(random, titles).strip("`") + "=" + template(random, titles, functions),
        "COL=TEMPLATE,...": lambda: column(random, titles).strip("`") + "=" + template(random, titles, functions),
        "COL=V,...": lambda: column(random, titles).strip("`") + "=1,Kiwi,x",
        "COL:TYPE,...": lambda: column(random, titles).strip("`") + ":" + random.choice("number text int decimal double bool date datetime duration size list object x".split()),
        "FORMAT": lambda: random.choice(["%d.%m.%Y", "%Y-%m-%d", "%s", "%d %b %y %H:%M", "%", "%q", "%m", "x", ""]),
        "TAG": lambda: random.choice(["en", "pt-BR", "<", ""]),
        "link:URL": lambda: random.choice(["link:style.css", "link:", "link:https://x/y?a&b"]),
    }
    if word in made:
        return made[word]()
    if re.fullmatch(r"[a-z0-9-]+", word):
        return word
    raise SystemExit(f"fuzz: {option} takes {word}, and nothing here makes one: add it to argument()")


class Run:
    """One random command: its options, its input, and whether the five ways of running it can be compared."""

    # Where the table goes, and options that end a run before it reads, are tried apart.
    LEFT_OUT = {"--output", "--in-place", "--rejects", "--help", "--version", "--memory"}

    def __init__(self, seed, number, options, functions):
        rng = self.random = random.Random(f"{seed}:{number}")
        self.number = number
        self.input, titles = table(rng)
        self.options = []
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 6])):
            option = rng.choice(options)
            if option.name in self.LEFT_OUT:
                continue
            name = rng.choice(option.names)
            if not option.words:
                self.options.append(name)
                continue
            text = argument(rng, rng.choice(option.words), option.name, titles, functions)
            if rng.random() < 0.1:
                text = noise(rng, text)
            text = text.replace("\x00", "")
            # A short option without a value would take the next word, which differs from run to run.
            self.options.append(name + "=" + text if name.startswith("--") else name + (text.lstrip("=") or "0"))
        if rng.random() < 0.6:
            self.options.append(rng.choice("--list --stack --grid --detail --markdown --to=pandoc --html --csv --tsv --json --jsonl".split()))
        # A second table: another one, or lines of the first.
        self.old = None
        if rng.random() < 0.1:
            lines = self.input.splitlines(keepends=True)
            rows = [line for line in lines[1:] if rng.random() < 0.8]
            if rng.random() < 0.5:
                rng.shuffle(rows)
            self.old = table(rng)[0] if rng.random() < 0.3 else b"".join(lines[:1] + rows)
            self.options.append(f"--diff={number}.old")
            if rng.random() < 0.6:
                self.options.append("--id=" + column(rng, titles).strip("`"))


# ----------------------------------------------------------------------------------------------------------- the checks

class Failure(Exception):
    pass


class Result:
    def __init__(self, status, output, errors, peak):
        self.status, self.output, self.errors, self.peak = status, output, errors, peak


def forget_peak():
    """Forgets the most memory that this process had: on Linux a child begins with it, and would seem to have had it itself."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


class Fuzzer:
    def __init__(self, program, folder, is_sanitized):
        self.program, self.folder, self.is_sanitized = program, folder, is_sanitized
        # Sanitized programs are not counted.
        self.counted = None if is_sanitized else harness.copy_to_count(program, folder)
        self.statuses = {}
        self.environment = {"LANG": "C.UTF-8", "PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder,
                            "ASAN_OPTIONS": os.environ["ASAN_OPTIONS"]}

    def start(self, words, data=None, program=None, pieces=None, room=None):
        """Runs the program; `data` goes into its standard input as feed() says. It may have `room` bytes of addresses."""
        def confine():
            resource.setrlimit(resource.RLIMIT_AS, (room, room))
        command = [*(program or [self.program]), *words]
        forget_peak()
        with tempfile.TemporaryFile(dir=self.folder) as output, tempfile.TemporaryFile(dir=self.folder) as errors:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE if data is not None else subprocess.DEVNULL, stdout=output, stderr=errors,
                env=self.environment, cwd=self.folder, preexec_fn=confine if room else None)
            feeder = None
            if data is not None:
                feeder = threading.Thread(target=feed, args=(process.stdin, data, pieces))
                feeder.start()
            # What counts instructions takes some fifty times as long.
            is_slow = self.is_sanitized or program and program[0] == "valgrind"
            watch = threading.Timer(TIMEOUT * (15 if is_slow else 1), process.kill)
            watch.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            is_late = not watch.is_alive()
            watch.cancel()
            if feeder:
                feeder.join()
            if is_late:
                raise Failure(f"hangs: {shown(command)}")
            output.seek(0)
            errors.seek(0)
            return Result(process.returncode, output.read(LONGEST), errors.read(LONGEST), usage.ru_maxrss * 1024)

    def check(self, result, words, budget):
        """What must hold of every run by itself."""
        said = result.errors.decode("utf-8", "replace")
        if result.status not in (0, 1, 2, 3, 4):
            raise Failure(f"status {result.status}: {said[:500]}")
        if any(mark in said for mark in ("Fatal error", "Sanitizer", "panicked")):
            raise Failure(said[:2000])
        if result.status >= 2 and not said.startswith("tabler: ") and "\ntabler: " not in said:
            raise Failure(f"status {result.status} without a message: {said[:200]!r}")
        if result.status == 2 and result.output:
            raise Failure("status 2, but something was written")
        if not self.is_sanitized and result.peak > budget + MARGIN:
            raise Failure(f"{result.peak >> 20} MiB with a budget of {budget >> 20} MiB")
        is_drawn = not any(re.fullmatch("(--|-t|--to=)(csv|tsv|jsonl?)", word) for word in words)
        styled = any("color" in word or "raw-control" in word for word in words)
        is_html = any(re.fullmatch("(--|-t|-t=|--to=)html", word) for word in words)
        output = result.output.replace(b"\t", b"") if is_html else result.output
        if is_drawn and not styled and (found := re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", output)):
            raise Failure(f"a control character in what is drawn: {found.group()!r}")

    def strain(self, run):
        """A large input with few options: the budget must hold."""
        budget = run.random.choice([1, 16, 64]) * MEBIBYTE
        form = run.random.choice("--list --grid --detail --markdown --to=pandoc --html --csv --jsonl".split())
        more = [[], ["--ragged=fill"], ["--sort=1"], ["--tail=5"], ["--head=-3"], ["--lookahead=10"], ["--filter=$1 = 1"],
                ["--footer=totals"], ["--names=a,b,c"], ["-H"], ["--width=80"], ["--move=1 to bottom"], ["--from=blanks"],
                ["--section-by=$1", "--section-header={section} {count()}", "--section-footer=totals"],
                ["--sort=a:natural"], ["--sort=-$1:nocase"], ["--sort=$1", "--head=2"], ["--sorted-by=$1"], ["--delete=-2"],
                ["--sort=-b", "--head=20"], ["--derive=z=b"]]
        run.options = [form, *run.random.choice(more), *run.random.choice(more)]
        data = shape(run.random)
        words = [f"--memory={budget}", *run.options]
        result = self.start(words, data)
        self.check(result, words, budget)
        if self.is_sanitized or run.random.random() < 0.5:
            return
        # So little that most runs go without; the program itself takes some 30 MB.
        confined = self.start(words, data, room=run.random.choice([36, 40, 48, 64, 90, 130]) * MEBIBYTE)
        self.check(confined, words, budget)
        if confined.status not in (result.status, 4):
            raise Failure(f"status {confined.status} without memory, but {result.status} with it: {confined.errors[:300]!r}")

    def run(self, run):
        """A run and its variants."""
        path = os.path.join(self.folder, f"{run.number}.input")
        with open(path, "wb") as file:
            file.write(run.input)
        if run.old is not None:
            with open(os.path.join(self.folder, f"{run.number}.old"), "wb") as file:
                file.write(run.old)
        try:
            budget = 16 * MEBIBYTE
            words = [f"--memory={budget}", *run.options]
            first = self.start(words, run.input)
            self.statuses[first.status] = self.statuses.get(first.status, 0) + 1
            self.check(first, words, budget)
            kind = run.random.randrange(5)
            # The clock goes on between two runs.
            if "--follow" in words or any("now(" in word for word in words):
                return
            others = [
                lambda: self.start(words + ["--", path]),
                lambda: self.start(["--memory=1K", *run.options], run.input),
                lambda: self.start(words, run.input, program=["taskset", "-c", "0", self.program]),
                lambda: self.start(words, run.input[:3000], pieces=run.random.choice([1, 2, 3, 7, 100])),
                lambda: self.start(words, run.input),
            ]
            if kind == 3:
                first = self.start(words, run.input[:3000])
            explains = any(word.startswith(("--explain", "--via")) for word in words)
            if kind == 0 and ("filename" in " ".join(words) or {"--diff=-", "--apply=-"} & set(words) or explains):
                return  # Standard input can be one of the tables only, and a query names the file.
            if kind == 1 and explains:
                return  # It names the budget.
            other = others[kind]()
            self.check(other, words, budget)
            self.compare(first, other, path, ["a file", "1 KiB", "one processor", "pieces", "once more"][kind])
        finally:
            os.unlink(path)

    @staticmethod
    def compare(one, other, path, what):
        if b" memory" in one.errors + other.errors and one.status != other.status:
            return
        names = lambda text: text.replace(path.encode(), b"<stdin>").replace(os.path.basename(path).encode(), b"<stdin>")
        if one.status != other.status:
            raise Failure(f"status {one.status}, but {other.status} for {what}: {one.errors[:300]!r} {other.errors[:300]!r}")
        if names(one.errors) != names(other.errors):
            raise Failure(f"other messages for {what}: {one.errors[:500]!r} {other.errors[:500]!r}")
        # Rows go on before the input pauses: where it is damaged after a pause, more or fewer of them are out.
        if what == "pieces" and one.status == 3 and (
                one.output.startswith(other.output) or other.output.startswith(one.output)):
            return
        if names(one.output) != names(other.output) and not named(one.output, other.output, path):
            raise Failure(f"other bytes for {what}: {difference(one.output, other.output)}")

    def grow(self, run, options, functions):
        """Twice the rows take at most 2.6 times the instructions."""
        rng = run.random
        header, rows, titles, join = pieces_of(rng)
        words = []
        # These may leave out most of the rows, but none of as many more.
        fewer = {"--head", "--skip", "--skip-lines", "--header-lines"}
        for option in rng.sample(options, 3):
            if option.name not in Run.LEFT_OUT | {"--follow"} | fewer:
                text = [argument(rng, rng.choice(option.words), option.name, titles, functions)] if option.words else []
                words.append("=".join([option.name, *text]).replace("\x00", ""))
        inputs = [(header + join(rows * times)).encode("utf-8", "surrogatepass") for times in (1, 2)]
        # Most words chosen by chance are wrong, which the program by itself says a hundred times sooner.
        if any(self.start(words, data).status not in (0, 1) for data in inputs):
            return False
        counts = []
        for data in inputs:
            result = self.start(words, data, program=[*harness.COUNTER, self.counted])
            if result.status not in (0, 1) or not (count := harness.instructions(result.errors)):
                raise Failure(f"status {result.status} when counted: {result.errors[-300:]!r} {shown(words)}")
            counts.append(count)
        if counts[1] > GROWTH * counts[0]:
            raise Failure(f"instructions grow {counts[1] / counts[0]:.2f} times ({counts}): {shown(words)}")
        return True


def pieces_of(rng):
    """A header, some rows and how rows are joined: a table that can be made twice as long."""
    titles = list(dict.fromkeys(name for name in names(rng, 5) if name.isalnum())) or ["a"]
    body = [[cell(rng).replace("\x00", "") for _ in titles] for _ in range(400)]
    if rng.random() < 0.5:
        quoted = lambda text: '"' + text.replace('"', '""') + '"'
        return ",".join(titles) + "\n", body, titles, lambda rows: "".join(",".join(map(quoted, row)) + "\n" for row in rows)
    lines = json_lines(rng, titles, 400)
    return "", lines, titles, lambda rows: "".join(line + "\n" for line in rows)


def feed(pipe, data, pieces):
    """Writes bytes, in pieces of so many if that is given, or pieces as often as each says."""
    try:
        if isinstance(data, list):
            for piece, count in data:
                for _ in range(count):
                    pipe.write(piece.encode())
        elif pieces:
            for start in range(0, len(data), pieces):
                os.write(pipe.fileno(), data[start:start + pieces])
        else:
            pipe.write(data)
    except BrokenPipeError:
        pass
    finally:
        try:
            pipe.close()
        except BrokenPipeError:
            pass


def named(one, other, path):
    """Whether two tables differ only in the name of the file, which a page bears as its title."""
    stem = os.path.basename(path).split(".")[0].encode()
    return b"<title>" in one and len(one.splitlines()) == len(other.splitlines()) and stem in other


def difference(one, other):
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"at byte {at}: {one[max(at - 60, 0):at + 60]!r} {other[max(at - 60, 0):at + 60]!r}"


def shown(words):
    return " ".join(shlex.quote(word) for word in words)


# ------------------------------------------------------------------------------------------------------------- the loop

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tabler", default=".build/release/tabler", help="the program (default: %(default)s)")
    parser.add_argument("--seed", default="1", help="what the random runs are made from (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=120, help="how long (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=sys.maxsize - 1, help="how many runs at most")
    parser.add_argument("--run", type=int, help="only the run of this number; its input is kept as fuzz-NUMBER.input")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at once (default: %(default)s)")
    parser.add_argument("--growth", type=int, default=40, metavar="N", help="every N-th run counts instructions; 0: none")
    parser.add_argument("--sanitized", action="store_true", help="the program has a sanitizer: it is slow, and memory is not checked")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.tabler)
    # A program that ends gives nothing back first: that is no leak.
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    options, functions = [Option(*row) for row in harness.listed_options(program)], harness.listed_functions(program)
    folder = tempfile.mkdtemp(prefix="tabler-fuzz-")
    fuzzer = Fuzzer(program, folder, arguments.sanitized)
    counts = {"runs": 0, "grown": 0}
    failures = []
    lock = threading.Lock()

    def one(number):
        run = Run(arguments.seed, number, options, functions)
        try:
            if arguments.growth and number % arguments.growth == 0:
                grown = fuzzer.grow(run, options, functions)
                with lock:
                    counts["grown"] += grown
            elif number % 50 == 1:
                fuzzer.strain(run)
            else:
                fuzzer.run(run)
        except Failure as failure:
            with lock:
                failures.append(number)
                print(f"run {number}: {shown(run.options)}\n  {failure}", flush=True)
        with lock:
            counts["runs"] += 1
        return run

    try:
        if arguments.run is not None:
            run = one(arguments.run)
            with open(f"fuzz-{arguments.run}.input", "wb") as file:
                file.write(run.input)
            print(f"tabler {shown(run.options)} <fuzz-{arguments.run}.input")
        else:
            end = time.monotonic() + arguments.seconds
            numbers = iter(range(1, arguments.runs + 1))

            def work():
                while time.monotonic() < end and len(failures) < 50:
                    with lock:
                        number = next(numbers, None)
                    if number is None:
                        break
                    one(number)
            with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
                for done in [pool.submit(work) for _ in range(arguments.jobs)]:
                    done.result()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    statuses = ", ".join(f"{count} of status {status}" for status, count in sorted(fuzzer.statuses.items()))
    print(f"seed {arguments.seed}: {counts['runs']} runs ({statuses}; {counts['grown']} counted), {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
