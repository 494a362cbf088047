#!/usr/bin/env python3
"""Puts hostile texts into literals, `--arg` texts, names of columns and tables, and looks whether anything got in.

Of each dialect: what `--explain` prints is one statement for sqlglot, with the text unchanged in it. On the engines: the
table is still there, and the row with that text is found, and no other. A NUL is refused with status 2.
"""

import concurrent.futures
import contextlib
import json
import os
import subprocess
import sys
import threading

import engines
import tables

DIALECTS = {"duckdb": "duckdb", "sqlite": "sqlite", "postgres": "postgres", "clickhouse": "clickhouse", "spark": "spark",
            "trino": "trino", "ansi": ""}

TEXTS = [
    "'", "''", "'''", '"', '""', "`", "``", "\\", "\\\\", "\\'", "'\\", "\\''", '\\"', "\\\\'", "\\n", "\\N", "\\0", "\\x27", "\\u0027",
    "\\047", "a'b", 'a"b', "a`b", "a\\b", "ends in \\", "' or '1'='1", "' or 1=1 --", "'; drop table orders; --",
    "\"; drop table orders; --", "`; drop table orders; --", "\\'; drop table orders; --", "'); drop table orders; --",
    "'\n; drop table orders;\n--", "x' union select null --", "-- comment", "--", "/*", "*/", "/* open", "*/ drop table orders /*",
    "#", "# comment", ";", ";;", "a;b", "${env:HOME}", "${HOME}", "$HOME", "$$", "$1", "$tag$", "$$; drop table orders; $$",
    "${system:user.name}", "${hiveconf:x}", "&x", ":x", ":'x'", "?", "%", "%s", "{x}", "{{x}}", "{x:String}", "@x", "@@version", "!x",
    "\n", "a\nb", "\r", "\r\n", "a\r\nb", "\t", "\x01", "\x1a", "\x1b[8m", "\x7f", "\b", "\x0c", "\v", "\u00a0", "\u2028", "\u2029", "\u2019",
    "\uff07", "\u02bc", "ʼ", "é", "e\u0301", "重量", "👩\u200d👧", "\u202e", "\ufeff", "N'x'", "E'x'", "x'41'", "U&'\\0041'", "r'x'", "q'[x]'",
    "\\.", ".quit", ".shell true", ".read /etc/passwd", "\\! true", "\\q", "\\copy x", "\\gexec", "!quit", "quit", "exit;", "go",
    " ", "  two", "x ", "null", "NULL", "true", "0", "1e400", "-1", "--1", "a" * 2000, "'" * 500, "\\" * 501, "",
]
# What clients take for a command of their own at the beginning of a line.
LINES = ["\n.quit\n", "\n.shell true\n", "\n\\q\n", "\n\\! true\n", "\n\\.\n", "\nquit;\n", "\n!quit\n", "\nexit\n", "a\n.mode json\nb", "\n--\n", "\n/*\n"]
ALL = TEXTS + LINES

NAMES = ["a'b", 'a"b', "a`b", "a\\", "a\\'b", "a;b", "a--b", "a/*b", "'; drop table orders; --", '"; drop table orders; --',
         "`; drop table orders; --", "two words", "select", "order", "größe", "重量", "${env:HOME}", "$1", "a.b", "a,b", "(a)", "%", "a\tb",
         "1", "*", "?", ":x", "{x}", "A", "a\nb", "é" * 20]


def table_of_texts():
    """A table with each hostile text in a row of its own."""
    rows = [[number, text, len(text)] for number, text in enumerate(ALL, 1)]
    return tables.Table("orders", [("id", "int"), ("name", "text"), ("size", "int")], rows)


def literal(text, isDouble):
    """A text as a literal of tabler, in either kind of quotes."""
    if not isDouble:
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=True) if all(ord(char) < 0x10000 for char in text) else json.dumps(text, ensure_ascii=False)


def forms(text):
    """The options that ask for rows with a text: as a literal in either quotes, as `--arg`, and where functions take it."""
    yield "literal '", ["--filter", "name = " + literal(text, False)]
    if all(char.isprintable() or char in "\n\r\t" for char in text) and "\\" not in text:
        yield 'literal "', ["--filter", "name = " + literal(text, True).replace("\\u007f", "\x7f").replace("\\b", "\\u0008").replace("\\f", "\\u000c")]
    yield "--arg", ["--arg", "who=" + text, "--filter", "name = $who"]
    yield "in", ["--arg", "who=" + text, "--filter", "name in ($who, 'no such text')"]


def explain(given, dialect, words, columns=(("id", "int"), ("name", "text"), ("size", "int")), table="orders"):
    """Runs `--explain` on a header; the words and the run."""
    header = ",".join('"' + name.replace('"', '""') + '"' for name, _ in columns) + "\n"
    types = ",".join('"' + name.replace('"', '""') + '":' + kind for name, kind in columns)
    words = [given.tabler, "--from", "csv", "--explain", dialect, "--table", table, "--types", types, *words]
    return words, subprocess.run(words, input=header.encode(), capture_output=True, timeout=60, check=False)


# ------------------------------------------------------------------------------------------- by sqlglot

JUDGE = r"""
import json, sys
import sqlglot
from sqlglot import exp
for line in sys.stdin:
    sql, dialect = json.loads(line)
    try:
        parsed = [one for one in sqlglot.parse(sql, read=dialect or None) if one is not None]
        # A text may be joined of pieces and characters, as chr(13) for CR.
        texts = []
        for tree in parsed:
            for node in tree.walk():
                if isinstance(node, exp.DPipe) and not isinstance(node.parent, exp.DPipe):
                    parts = [leaf for leaf in node.flatten()] if hasattr(node, 'flatten') else [node.left, node.right]
                    pieces = []
                    for leaf in parts:
                        while isinstance(leaf, exp.Paren):
                            leaf = leaf.this
                        if isinstance(leaf, exp.ByteString) or isinstance(leaf, exp.Literal) and leaf.is_string:
                            pieces.append(leaf.this)
                        elif isinstance(leaf, exp.Chr) or (isinstance(leaf, exp.Anonymous) and leaf.name.lower() in ('char', 'chr')):
                            codes = leaf.expressions or [leaf.this]
                            pieces.append(''.join(chr(int(code.name)) for code in codes))
                    texts.append(''.join(pieces))
                elif isinstance(node, exp.ByteString) or isinstance(node, exp.Literal) and node.is_string:
                    texts.append(node.this)
        names = [name.name for tree in parsed for name in tree.find_all(exp.Identifier)]
        print(json.dumps({'statements': len(parsed), 'kinds': [type(one).__name__ for one in parsed], 'texts': texts, 'names': names}))
    except Exception as error:
        print(json.dumps({'error': str(error)[:300]}))
    sys.stdout.flush()
"""


class Judge:
    """sqlglot in the virtual environment: how many statements, which texts and which names."""

    def __init__(self, venv):
        self.kept, self.turn = {}, threading.Lock()
        self.process = subprocess.Popen([os.path.join(venv, "bin", "python"), "-c", JUDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)

    def judged(self, sql, dialect):
        """The verdict; the same SQL is judged once, and most questions are asked in several forms."""
        with self.turn:
            if (sql, dialect) not in self.kept:
                self.process.stdin.write(json.dumps([sql, DIALECTS[dialect]]).encode() + b"\n")
                self.process.stdin.flush()
                self.kept[sql, dialect] = json.loads(self.process.stdout.readline())
            return self.kept[sql, dialect]


def judge_dialect(given, judge, dialect):
    """Texts, columns and tables in what `--explain` prints for a dialect."""
    count = engines.Count(f"{dialect} by sqlglot")
    for text in ALL:
        for form, words in forms(text):
            check(given, judge, dialect, count, f"{form} {text!r}", words, text if text else None, None)
    for name in NAMES:
        quoted = "`" + name.replace("`", "``") + "`"
        columns = (("id", "int"), (name, "text"))
        check(given, judge, dialect, count, f"column {name!r}", ["--filter", f"{quoted} = 'x'"], "x", name, columns=columns)
        check(given, judge, dialect, count, f"new column {name!r}", ["--derive", f"{quoted} = size"], None, name)
    for name in NAMES:
        if "." not in name:
            check(given, judge, dialect, count, f"table {name!r}", ["--filter", "name = 'x'"], "x", name, table=name)
    for what, words in [("NUL in a literal", ["--filter", 'name = "a\\u0000b"']), ("NUL in a column", ["--derive", "x = \"\\u0000\""])]:
        words, run = explain(given, dialect, words)
        count.trials += 1
        if run.returncode != 2 or not run.stderr or run.stdout:
            count.fail(what, f"status {run.returncode}, not refused", words)
    return count.report()


def check(given, judge, dialect, count, what, words, text, name, **more):
    """One trial: a refusal is fine if it says why; SQL must be one SELECT with the text and the name in it."""
    words, run = explain(given, dialect, words, **more)
    count.trials += 1
    if run.returncode == 2 and run.stderr and not run.stdout:
        count.refused += 1
        # Texts are never refused; names may be, where a dialect cannot write them.
        if name is None:
            count.fail(what, "refused: " + run.stderr.decode(errors="replace"), words)
        return
    if run.returncode:
        count.fail(what, f"status {run.returncode}: {run.stderr.decode(errors='replace')}", words)
        return
    sql = run.stdout.decode(errors="replace")
    verdict = judge.judged(sql, dialect)
    if verdict.get("statements") != 1 or verdict["kinds"] not in (["Select"], ["Subquery"]):
        count.fail(what, f"{verdict}\n{sql}", words)
    elif text is not None and text not in verdict["texts"]:
        count.fail(what, f"the text is not there: {verdict['texts']}\n{sql}", words)
    elif name is not None and name not in verdict["names"]:
        count.fail(what, f"the name is not there: {verdict['names']}\n{sql}", words)


# -------------------------------------------------------------------------------------------- by engines

def ask_engine(given, engine, table):
    """Asks an engine for each text: its row is found, and no other; then the table is looked at."""
    count = engines.Count(engine.name)
    ask_in_batch(given, engine, table, count)
    if engine.name != "spark":
        names(given, engine, count)
        is_there(engine, table, count)
    return count.report()


def is_there(engine, table, count):
    """The table is still there, with all its rows."""
    count.trials += 1
    left = engine.tables()
    rows = engine.run(f"SELECT COUNT(*) AS n FROM {engine.quoted_table(table)}").rows if table.name in left else []
    if rows != [[str(len(table.rows))]]:
        count.fail("the table", f"it is not what it was: {left} {rows}", [])


def expected(text):
    """The numbers of the rows that hold a text; an empty `--arg` finds what is empty."""
    return sorted(number for number, other in enumerate(ALL, 1) if other == text)


def names(given, engine, count):
    """Columns with hostile names in a table with a hostile name: they are made with the engine's own quoting, and asked for."""
    usable = [name for name in NAMES if not (engine.name == "clickhouse-old" and ("\n" in name or "\t" in name))]
    for table_name in ["it's; drop table orders; --", 'quo"ted', "two words", "größe"]:
        wide = tables.Table(table_name, [("id", "int")] + [(name, "text") for name in usable],
                            [[number] + [f"{number} {place}" for place in range(len(usable))] for number in (1, 2)])
        try:
            engine.load(wide)
        except engines.Refused as refusal:
            print(f"  {engine.name}: cannot hold a table {table_name!r} with such columns: {str(refusal)[:200]}")
            continue
        ask_names(given, engine, count, wide, usable)


def ask_names(given, engine, count, table, usable):
    """Asks with each column of a hostile name: one row is found."""
    asked, queries = [], []
    for place, name in enumerate(usable):
        test = "`" + name.replace("`", "``") + f"` = '2 {place}'"
        words, run = explain(given, engine.dialect, ["--filter", test, "--columns", "id"], table.columns, quoted_table(engine, table.name))
        count.trials += 1
        what = f"column {name!r} of {table.name!r}"
        if run.returncode == 2 and run.stderr:
            count.refused += 1
        elif run.returncode:
            count.fail(what, f"status {run.returncode}: {run.stderr.decode(errors='replace')}", words)
        else:
            asked.append((what, words))
            queries.append(run.stdout.decode(errors="replace"))
    for (what, words), answer in zip(asked, engine.run_together(queries)):
        rows = answer.rows if isinstance(answer, engines.Answer) else str(answer)
        if rows != [["2"]]:
            count.fail(what, f"{rows}, not the row 2", words)


def quoted_table(engine, name):
    """A name of a table for `--table`."""
    return f"{engine.schema}.{name}" if engine.schema else name


def ask_in_batch(given, engine, table, count):
    """Asks for all texts by what `--explain` prints, in one session: what gets in spoils the answers after it, too."""
    asked, queries = [], []
    for text in ALL:
        words, run = explain(given, engine.dialect, ["--arg", "who=" + text, "--filter", "name = $who", "--columns", "id"],
                             table=engine.table_name(table))
        count.trials += 1
        if run.returncode:
            count.fail(f"--arg {text!r}", f"status {run.returncode}: {run.stderr.decode(errors='replace')}", words)
        else:
            asked.append((text, words))
            queries.append(run.stdout.decode())
    *answers, last = engine.run_together([*queries, f"SELECT COUNT(*) AS n FROM {engine.quoted_table(table)};"])
    count.trials += 1
    if not isinstance(last, engines.Answer) or last.rows != [[str(len(table.rows))]]:
        count.fail("the table", f"it is not what it was: {last}", [])
    for (text, words), answer in zip(asked, answers):
        found = sorted(int(row[0]) for row in answer.rows) if isinstance(answer, engines.Answer) else str(answer)
        if found != expected(text):
            count.fail(f"--arg {text!r}", f"{found}, not {expected(text)}", words)


def main():
    given = engines.options(
        __doc__,
        ("--dialect", {"nargs": "*", "choices": list(DIALECTS), "default": list(DIALECTS), "help": "dialects that sqlglot judges"}),
        ("--no-engines", {"action": "store_true", "help": "only sqlglot"}),
        ("--load-only", {"action": "store_true", "help": "only look whether engines hold the texts: asks nothing"}))
    failed = 0
    if not given.load_only:
        with Judge(given.venv) as judge, concurrent.futures.ThreadPoolExecutor(2) as pool:
            failed += sum(pool.map(lambda dialect: judge_dialect(given, judge, dialect), given.dialect))
    table = table_of_texts()
    for name in [] if given.no_engines else given.engine:
        with contextlib.ExitStack() as stack:
            engine = stack.enter_context(engines.ENGINES[name](given.venv, isDirect=True))
            engine.load(table)
            failed += hold(engine, table) if given.load_only else ask_engine(given, engine, table)
    return 1 if failed else 0


def hold(engine, table):
    """Whether an engine gives back the texts as they are, also those in hostile columns."""
    count = engines.Count(engine.name)
    answer = engine.run(f"SELECT id, name FROM {engine.quoted_table(table)} ORDER BY id")
    for row, (text, given_back) in enumerate(zip(ALL, [row[1] for row in answer.rows]), 1):
        count.trials += 1
        if text != given_back:
            count.fail(f"row {row}", f"{text!r} came back as {given_back!r}", [])
    count.trials += 1
    if len(answer.rows) != len(ALL):
        count.fail("rows", f"{len(answer.rows)}, not {len(ALL)}", [])
    return count.report()


if __name__ == "__main__":
    sys.exit(main())
