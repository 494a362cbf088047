#!/usr/bin/env python3
"""Asks engines the questions that tabler answers itself on the same rows, and compares the answers.

`--mode via` runs `tabler --via`; `--mode explain` runs what `--explain` prints with the engine's client; `--mode hand` runs
SQL that was written by hand, without tabler's. On Spark all queries run as one batch in a session, and a few by `--via`,
each with the real `spark-sql` and a cluster of its own; with `--spark-held` one session on a cluster answers the batch and
all but one of those, and `spark-sql` is client.py before it.
"""

import collections
import concurrent.futures
import contextlib
import decimal
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

import engines
import hand
import questions
import tables

decimal.getcontext().prec = 60
# What the ClickHouse of 2018 cannot read: syntax, functions, types of arguments, aggregates and settings.
TOO_OLD = re.compile(r"Code: (62|46|42|43|47|63|115|170|48|50|53|386|70|44)\b")
# What it answers in another way than the later ones, or not at all: lists with nulls, a text of truth, the smallest of truths (they
# are numbers there), letters beyond ASCII, whole division by 0, an empty text to replace, and --skip without --head.
OTHER_THEN = re.compile(r"\bin \(|text\(ok\)|--summary|lower\(strange\)|//|replace\(\w+, \"\"|--skip (?!.*--head)")

INEXACT = re.compile(r"(?<!/)/(?!/)|\^|\*\*|\b(mean|avg|median|stddev|percentile|sqrt|cbrt|exp|ln|log|log10|log2|pow|power|"
                     r"sin|cos|tan|asin|acos|atan|atan2|pi|double|number|epoch)\(")
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.0+)?(Z|\+00(:?00)?)?")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.I)


# ------------------------------------------------------------------------------------------------- answers

def read_lines(text):
    """Rows of JSON Lines, each as pairs of name and value; numbers keep their digits."""
    return [json.loads(line, object_pairs_hook=list, parse_int=decimal.Decimal, parse_float=decimal.Decimal,
                       parse_constant=decimal.Decimal) for line in text.split("\n") if line]


def own_answer(tabler, path, table, words):
    """What tabler itself answers: its rows, or what it said."""
    run = subprocess.run([tabler, path, "--types", table.type_option(), *words, "--to", "jsonl"], stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=60, check=False)
    if run.returncode:
        return None, run.stderr.decode(errors="replace").strip()
    return read_lines(run.stdout.decode()), ""


def ordered_words(words, table):
    """A question whose texts are ordered as engines are asked to: an empty one as a null."""
    texts = {name for name, kind in table.columns if kind == "text"}
    derived = {name.strip("`") for value in option_values(words, "--derive") for name in re.findall(r"(?:^|[,;]\s*)(\w+)\s*=", value)}
    changed = list(words)
    for place, word in enumerate(words[:-1]):
        if word == "--sort" and "(" not in words[place + 1] and "--order" not in words:
            changed[place + 1] = ",".join(ordered_key(key, texts - derived) for key in words[place + 1].split(","))
    return changed


def ordered_key(key, texts):
    """A sort key, of which a text that is empty is null."""
    match = re.fullmatch(r"([-+]?)([^:]+)((?::\w+)*)", key)
    if not match or match[2] not in texts or re.search(r":(number|natural|length|version)", match[3]):
        return key
    isText = re.search(r":(text|nocase)", match[3])
    return f'{match[1]}(nullif(`{match[2]}`, "")){match[3]}' + ("" if isText else ":text")


def option_values(words, name):
    return [value for option, value in zip(words, words[1:]) if option == name]


# ---------------------------------------------------------------------------------------------- comparison

def inexact_columns(question, table, engine):
    """The columns of an answer that need agree in 15 digits only; None stands for all that have no name in the question."""
    kinds = {"double", "decimal"} if engine.dialect == "sqlite" else {"double"}
    names = {name for name, kind in table.columns if kind in kinds} | {None}
    exact = set(table.names) - names
    for name, expression in question.assignments():
        words = set(re.findall(r"`[^`]+`|\w+", expression))
        isInexact = INEXACT.search(expression) or any(word.strip("`") in names for word in words)
        names.add(name) if isInexact else exact.add(name)
    return names, exact


def plain(value, isInexact, engine):
    """A value so that equal ones are equal: numbers by value, moments by one spelling."""
    if value is None or value == "" and not engine.tells_empty:
        return ("",)
    if isinstance(value, bool):
        return ("number", decimal.Decimal(int(value))) if not engine.has_bool else ("bool", value)
    if isinstance(value, decimal.Decimal):
        if value.is_nan():
            return ("number", "nan")
        if not isInexact or not value.is_finite():
            return ("number", value + 0 if value else decimal.Decimal(0))
        return ("number", decimal.Decimal(f"{value:.14e}") if value else decimal.Decimal(0))
    if isinstance(value, str):
        match = MOMENT.fullmatch(value)
        return ("text", f"{match[1]} {match[2]}" if match else value)
    return ("json", json.dumps(value, ensure_ascii=False, default=str))


def typed(rows, own):
    """Cells of a client as values of the kinds that tabler's own answer has in each column."""
    kinds = collections.defaultdict(set)
    for row in own:
        for name, value in row:
            if value is not None:
                kinds[name].add(type(value))
    return [[(name, typed_cell(cell, kinds[name])) for name, cell in row] for row in rows]


def typed_cell(cell, kinds):
    if cell is not None and kinds == {bool} and cell.lower() in ("t", "true", "1", "f", "false", "0"):
        return cell.lower() in ("t", "true", "1")
    if cell is not None and kinds == {decimal.Decimal} and NUMBER.fullmatch(cell):
        return decimal.Decimal(cell)
    return cell


def difference(question, own, given, table, engine):
    """The first difference between two answers, or None."""
    if len(own) != len(given):
        return f"{len(own)} rows here, {len(given)} there"
    if "@count" in question.marks or not own:
        return None
    if [name for name, _ in own[0]] != [name for name, _ in given[0]]:
        return f"columns {[name for name, _ in own[0]]} here, {[name for name, _ in given[0]]} there"
    names, exact = inexact_columns(question, table, engine)
    left, right = ([[(plain(value, name in names or name not in exact, engine), name in exact) for name, value in row]
                    for row in rows] for rows in (own, given))
    if "--sort" not in question.words and "@done-here" not in question.marks:
        left, right = sorted(left, key=row_key), sorted(right, key=row_key)
    for number, pair in enumerate(zip(left, right), 1):
        for (name, _), (one, isExact), (other, _) in zip(own[0], *pair):
            if one != other and not (not isExact and are_near(one, other)):
                return f"row {number}, {name}: {shown(one)} here, {shown(other)} there"
    return None


def row_key(row):
    """Orders rows by what is exact in them first."""
    return ([str(value) for value, isExact in row if isExact],
            [f"{float(value[1]):.9e}" if value[0] == "number" and value[1] != "nan" else str(value) for value, isExact in row if not isExact])


def are_near(one, other):
    """Whether two numbers agree in 15 digits."""
    if one[0] != "number" or other[0] != "number" or "nan" in (one[1], other[1]):
        return False
    return abs(one[1] - other[1]) <= decimal.Decimal("1e-14") * max(abs(one[1]), abs(other[1]))


def shown(value):
    return "null" if value == ("",) else f"{value[0]} {value[1]!r}" if value[0] == "text" else f"{value[0]} {value[1]}"


# ------------------------------------------------------------------------------------------------- running

class Result:
    """What became of a question: equal, refused, failed, skipped or too old; a message, and a command that shows it."""

    def __init__(self, question, outcome, message="", command=""):
        self.question, self.outcome, self.message, self.command = question, outcome, message, command


class Asker:
    """Asks one engine."""

    def __init__(self, given, engine, table, path):
        self.given, self.engine, self.table, self.path = given, engine, table, path
        self.own = {}

    def own_rows(self, question):
        """tabler's own answer, kept."""
        if question.name not in self.own:
            words = ordered_words(question.words, self.table)
            self.own[question.name] = own_answer(self.given.tabler, self.path, self.table, words)
        return self.own[question.name]

    def unanswered(self, question, message):
        """The result of a question that tabler does not answer itself: it may only lack the option."""
        return Result(question, "skipped" if "unknown option" in message else "failed", message)

    def judged(self, question, rows, command=""):
        """The result of rows that an engine answered."""
        own, message = self.own_rows(question)
        if own is None:
            return self.unanswered(question, message)
        if "@refused" in question.marks:
            return Result(question, "failed", "answered, but no SQL asks the same", command)
        different = difference(question, own, rows, self.table, self.engine)
        outcome = "equal" if not different else "too old" if self.is_old(OTHER_THEN, question.text) else "failed"
        return Result(question, outcome, different or "", command)

    def is_old(self, pattern, text):
        """Whether a text shows that the ClickHouse of 2018 is asked for what it lacks."""
        return self.engine.name == "clickhouse-old" and pattern.search(text) is not None

    def stopped(self, question, message, command):
        """The result of an error: to say that a number overflows is no other answer."""
        isOld = self.is_old(TOO_OLD, message) or self.is_old(OTHER_THEN, question.text)
        isHonest = self.engine.name == "sqlite" and "integer overflow" in message
        return Result(question, "too old" if isOld else "refused" if isHonest else "failed", message, command)

    # By --via

    def via(self, question, more=()):
        """Asks by `--via`."""
        words = [self.given.tabler, "--via", self.engine.via, "--table", self.engine.table_name(self.table), *more,
                 *question.words, "--to", "jsonl"]
        command = shlex.join(words)
        own, message = self.own_rows(question)
        if own is None and "@refused" not in question.marks:
            return self.unanswered(question, message)
        try:
            run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=self.engine.environment,
                                 cwd=self.engine.folder, timeout=self.given.timeout, check=False)
        except subprocess.TimeoutExpired:
            return Result(question, "failed", f"no answer in {self.given.timeout} s", command)
        said = run.stderr.decode(errors="replace").strip()
        if run.returncode == 2:
            return Result(question, "refused" if said else "failed", said or "status 2 without a message", command)
        if run.returncode:
            return self.stopped(question, f"status {run.returncode}: {said}", command)
        return self.judged(question, read_lines(run.stdout.decode(errors="replace")), command)

    # By --explain, or by hand

    def explained(self, question):
        """The SQL that `--explain` prints, and the result if it prints none."""
        words = [self.given.tabler, str(self.path), "--explain", self.engine.dialect, "--table", self.engine.table_name(self.table), "--types",
                 self.table.type_option(), *question.words]
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
        said = run.stderr.decode(errors="replace").strip()
        if run.returncode == 0:
            return run.stdout.decode(), None
        outcome = "refused" if run.returncode == 2 and said else "failed"
        return None, Result(question, outcome, said or f"status {run.returncode}", shlex.join(words))

    def by_sql(self, asked):
        """Asks by SQL: all in one go, as Spark needs it."""
        results, queries = [], []
        for question in asked:
            if "@done-here" in question.marks:
                continue
            sql, result = (hand.in_dialect(question.sql, self.engine, self.table), None) if self.given.mode == "hand" \
                else self.explained(question)
            if result:
                results.append(result)
            else:
                queries.append((question, sql))
        for (question, sql), answer in zip(queries, self.engine.run_many([sql for _, sql in queries])):
            if isinstance(answer, engines.Refused):
                results.append(self.stopped(question, str(answer), sql))
                continue
            own, message = self.own_rows(question)
            if own is None:
                results.append(self.unanswered(question, message))
                continue
            rows = typed([list(zip(answer.names, row)) for row in answer.rows], own)
            results.append(self.judged(question, rows, sql))
        return results

    def all(self, asked):
        """Asks everything."""
        if self.given.mode != "via":
            return self.by_sql(asked)
        if self.engine.name == "spark":
            return self.by_sql(asked) + self.few(asked)
        with concurrent.futures.ThreadPoolExecutor(self.given.jobs) as pool:
            return list(pool.map(self.via, asked))

    def few(self, asked):
        """The questions to Spark by `--via`, spread over all: one asks for the types, and always of the real client."""
        chosen = [question for question in asked if not question.marks]
        chosen = chosen[::max(1, len(chosen) // max(1, self.given.spark_via))][:self.given.spark_via]
        self.engine.make_pending()
        results = [self.via(question, ["--types", self.table.type_option()]) for question in chosen[1:]]
        self.engine.end_session()
        return results + [self.via(question) for question in chosen[:1]]


# ------------------------------------------------------------------------------------------------- report

OUTCOMES = ["equal", "refused", "failed", "skipped", "too old"]


def report(given, engine, results, seconds):
    """Prints what became of the questions; how many failed."""
    counts = collections.Counter(result.outcome for result in results)
    for result in results:
        if result.outcome == "failed":
            print(f"  {engine.name}: {result.question.name}: {result.question.text}")
            print("    " + clipped(result.message, 600))
            print("    " + clipped(result.command, 4000))
            print(f"    again: {os.path.basename(sys.argv[0])} --engine {engine.name} --mode {given.mode} --seed {given.seed} "
                  f"--random {given.random} --only {shlex.quote(result.question.name)}")
    if given.reasons:
        for outcome in ["refused", "skipped", "too old"]:
            reasons = collections.Counter(clipped(result.message.split("\n")[0], 160) for result in results if result.outcome == outcome)
            for reason, count in reasons.most_common():
                print(f"  {engine.name}: {outcome} {count} x {reason}")
    more = "".join(f", {counts[name]} {name}" for name in OUTCOMES[3:] if counts[name])
    print(f"{engine.name}: {len(results)} asked, {counts['equal']} equal, {counts['refused']} refused, {counts['failed']} failed{more}; "
          f"{seconds:.1f} s", flush=True)
    answered = len(results) - counts["skipped"] - counts["too old"]
    if not given.only and counts["equal"] * 100 < given.least * answered:
        print(f"  {engine.name}: only {counts['equal']} of {answered} were answered; --reasons lists why")
        return counts["failed"] + 1
    return counts["failed"]


def clipped(text, length):
    text = text.replace("\n", "\n    ")
    return text if len(text) <= length else text[:length] + " …"


def spread(asked, count):
    """As many questions as wanted, from the first to the last."""
    return asked if count is None or count > len(asked) else [asked[number * len(asked) // count] for number in range(count)]


def serve(started, table):
    """Prints how each engine is asked, and waits."""
    for engine in started:
        around = {name: value for name, value in engine.environment.items() if os.environ.get(name) != value}
        print("env", shlex.join(f"{name}={value}" for name, value in around.items()))
        print("    tabler --via", shlex.quote(engine.via), "--table", shlex.quote(engine.table_name(table)))
    print("Until an interrupt or the end of the input.", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        sys.stdin.read()


def main():
    given = engines.options(
        __doc__,
        ("--mode", {"choices": ["via", "explain", "hand"], "default": "via", "help": "how engines are asked (default: %(default)s)"}),
        ("--written", {"type": int, "metavar": "COUNT", "help": "how many written questions, spread over all (default: all)"}),
        ("--random", {"type": int, "default": 60, "help": "how many random questions (default: %(default)s)"}),
        ("--rows", {"type": int, "default": 300, "help": "how many rows (default: %(default)s)"}),
        ("--only", {"metavar": "NAME", "help": "one question: 'written 7', 'random 12'"}),
        ("--reasons", {"action": "store_true", "help": "list why questions were refused or skipped"}),
        ("--least", {"type": int, "default": 50, "help": "percent of the questions that must be answered (default: %(default)s)"}),
        ("--jobs", {"type": int, "default": 2, "help": "questions at a time (default: %(default)s)"}),
        ("--timeout", {"type": int, "default": 120, "help": "seconds for a question (default: %(default)s)"}),
        ("--spark-via", {"type": int, "default": 6, "help": "questions by --via on Spark (default: %(default)s)"}),
        ("--spark-held", {"action": "store_true", "help": "one session of Spark for all queries but those of one question by --via"}),
        ("--serve", {"action": "store_true", "help": "start engines, load them, print how they are asked, and wait"}),
        ("--table-file", {"metavar": "FILE", "help": "keep the rows as JSON Lines in FILE"}))
    table = tables.orders(given.seed, given.rows)
    asked = hand.asked() if given.mode == "hand" else \
        spread(questions.written(), given.written) + questions.random_ones(given.seed, given.random)
    asked = [question for question in asked if given.only in (None, question.name)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        path = given.table_file or os.path.join(folder, "rows.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(table.json_lines())
        started = []
        own = {}
        for name in given.engine:
            begin = time.monotonic()
            with contextlib.ExitStack() as single:
                kind = engines.HeldSpark if name == "spark" and given.spark_held else engines.ENGINES[name]
                engine = (stack if given.serve else single).enter_context(kind(given.venv, isDirect=True))
                engine.load(table)
                if given.serve:
                    started.append(engine)
                    continue
                asker = Asker(given, engine, table, path)
                asker.own = own
                results = asker.all(asked)
            failed += report(given, engine, results, time.monotonic() - begin)
        if given.serve:
            for engine in started:
                if isinstance(engine, engines.Spark):
                    engine.make_pending()
            serve(started, table)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
