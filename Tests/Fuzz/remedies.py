#!/usr/bin/env python3
"""Tries every remedy that a message names, as it is spelled there, through a shell.

Columns of decorated data - money, percents, sizes, durations, clock times, versions, addresses, dates, other marks of
numbers, numbers before texts, words for nothing - are made from a seed, alone and among plain numbers and other texts,
below names that a shell or a grammar might take for something else. They are sorted, filtered, summed and declared to be
numbers. What the messages name is taken out of them and applied. It must do what it says: rows in the order of their
values, or those of a condition, and no cell null that had a value before.
"""
import datetime
import random
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

import harness
from harness import commas, continental, short_duration

ROWS = 14
NAMES = ["x", "x", "x", "unit price", "it's", 'a"b', "$HOME", "", "@2", "🍎", "-w", "a(b)", "a,b:c", "`t`", "and", "a*", "#x", "!x"]


class Kind:
    """Decorated data: how a value is spelled, and what it is to a sort and to an arithmetic expression.

    - order: the value that a text has in a sort; nil for those that have none.
    - number: the number that an expression should make of it.
    - plain: how a plain number beside it is spelled.
    """

    def __init__(self, name, make, order=lambda value: value, number=lambda value: value, plain=None):
        self.name, self.make, self.order, self.number = name, make, order, number
        self.plain = plain or (lambda rng: (lambda value: (str(value), value))(rng.randrange(-20, 500)))


def money(spell, low=1, high=900_000):
    return lambda rng: (lambda value: (spell(value), value))(rng.randrange(low, high) / 100)


def negated(spell, accountant):
    """Amounts of which a third are below zero."""
    def make(rng):
        value = rng.randrange(1, 900_000) / 100
        return (accountant(value), -value) if rng.random() < 0.3 else (spell(value), value)
    return make


def date(pattern):
    def make(rng):
        value = datetime.date(2015, 1, 1) + datetime.timedelta(days=rng.randrange(4000))
        text = value.strftime(pattern).replace(" 0", " ") if pattern.startswith("%A") else value.strftime(pattern)
        return text, value
    return make


def clock(rng):
    hour, minute = rng.randrange(24), rng.randrange(60)
    return f"{hour}:{minute:02}", hour * 60 + minute


def half_day_clock(rng):
    hour, minute = rng.randrange(24), rng.randrange(60)
    return f"{(hour + 11) % 12 + 1}:{minute:02} {'AM' if hour < 12 else 'PM'}", hour * 60 + minute


def size(units, base):
    def make(rng):
        number, power = rng.randrange(10, 9999) / 10, rng.randrange(len(units))
        return f"{number}{units[power]}", number * base ** (power + 1)
    return make


def spelled(low, high, spell):
    return lambda rng: (lambda value: (spell(value), value))(rng.randrange(low, high))


def remark(rng):
    value = rng.randrange(400)
    return f"{value} ({rng.randint(1, 90)}{rng.choice('smhd')} ago)", value


def version(rng):
    value = (rng.randrange(1, 4), rng.randrange(30), rng.randrange(12))
    return ".".join(map(str, value)), value


def room(rng):
    value = (rng.randrange(1, 130), rng.choice("ABCEGK"))
    return f"{value[0]}{value[1]}", value


def address(rng):
    value = (10, rng.randrange(3), rng.randrange(256), rng.randrange(256))
    return ".".join(map(str, value)), value


def ratio(rng):
    first, second = rng.randrange(-40, 60) / rng.choice([1, 2, 4]), rng.randrange(-40, 60) / 4
    return f"{first:g}/{second:g}", first


def scale(*words):
    """Words of a scale, in one case for a word."""
    def make(rng):
        value = rng.randrange(len(words))
        return rng.choice([words[value], words[value], words[value].upper()]), value
    return make


def quarter(rng):
    value = (rng.randrange(2022, 2025), rng.randint(1, 4))
    return f"Q{value[1]}-{value[0]}", value


def ago(rng):
    count, (unit, seconds) = rng.randint(2, 20), rng.choice([("days", 86400), ("weeks", 604800), ("hours", 3600)])
    return f"{count} {unit} ago", count * seconds


def exponent(rng):
    text = f"{rng.randrange(1, 99) / 10}e{rng.randrange(-2, 6)} V"
    return text, float(text[:-2])


def foreign_date(rng):
    months = ["Januar", "Februar", "März", "Mai", "Juni", "Juli", "Oktober", "Dezember"]
    year, month, day = rng.randrange(2015, 2026), rng.randrange(8), rng.randint(1, 28)
    return f"{day}. {months[month]} {year}", (year, month, day)


def year(value):
    return value.year


NONE = lambda value: None  # noqa: E731

PATTERNS = ["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d %b %Y", "%b %d, %Y", "%d-%b-%Y", "%a, %d %b %Y", "%Y-%m-%d", "%d. %B %Y"]

KINDS = [
    Kind("dollars", money(lambda value: "$" + commas(value))),
    Kind("whole dollars", spelled(1, 2000, lambda value: f"${value}")),
    Kind("euros after", money(lambda value: f"{value:.2f} €")),
    Kind("euros with a comma", money(lambda value: continental(value) + " €"), plain=spelled(1, 500, str)),
    Kind("codes", money(lambda value: f"USD {value:.2f}"), order=NONE),
    Kind("dollars after a minus", negated(lambda value: "$" + commas(value), lambda value: "-$" + commas(value))),
    Kind("accountants' dollars", negated(lambda value: "$" + commas(value), lambda value: f"(${commas(value)})")),
    Kind("accountants' numbers", negated(lambda value: f"{value:.2f}", lambda value: f"({value:.2f})")),
    Kind("percents", spelled(-20, 150, lambda value: f"{value}%")),
    Kind("fine percents", money(lambda value: f"{value:.2f}%", high=9999)),
    Kind("du", size("KMG", 1024)), Kind("kubectl", size(["Ki", "Mi", "Gi"], 1024)), Kind("MB", size(["kB", "MB", "GB"], 1000)),
    Kind("durations", spelled(20, 400_000, short_duration)), Kind("seconds", spelled(20, 9000, lambda value: f"{value}s")),
    Kind("clock times", clock, number=NONE), Kind("half-day clock times", half_day_clock, number=NONE),
    Kind("rooms", room, number=NONE), Kind("versions", version, number=NONE), Kind("addresses", address, number=NONE),
    *(Kind("dates as " + pattern, date(pattern), number=year) for pattern in PATTERNS),
    Kind("foreign dates", foreign_date, number=NONE),
    Kind("thousands", money(commas)),
    Kind("decimal commas", money(lambda value: f"{value:.2f}".replace(".", ",")), plain=spelled(1, 500, str)),
    Kind("points and commas", money(continental), plain=spelled(1, 500, str)),
    Kind("apostrophes", money(lambda value: commas(value).replace(",", "'"))),
    Kind("remarks", remark), Kind("whole kilograms", spelled(-30, 900, lambda value: f"{value} kg")),
    Kind("kilograms", money(lambda value: f"{value:.2f} kg", low=-9999)), Kind("exponents", exponent),
    Kind("ratios", ratio, number=NONE), Kind("ages", ago, number=NONE),
    Kind("days", spelled(2, 900, lambda value: f"{value} days")),
    Kind("months", scale("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), number=NONE),
    Kind("weekdays", scale("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), number=NONE),
    Kind("clothes", scale("S", "M", "L", "XL"), number=NONE), Kind("levels", scale("low", "medium", "high"), number=NONE),
    Kind("quarters", quarter, number=NONE),
    Kind("thousands before a text", spelled(1, 90_000, lambda value: f"{value:,} views")),
]

TEXTS = ["free", "unknown yet", "see below", "t.b.d."]
WORDS = ["NA", "-", "n/a", "null"]


class Trial:
    """A column of a kind and a question about it."""

    def __init__(self, rng, kind, question):
        self.kind, self.question = kind, question
        self.name = rng.choice(NAMES)
        mix = rng.choice(["alone", "alone", "numbers", "texts", "words", "all"])
        self.cells, self.values, self.isText = [], [], []
        for _ in range(ROWS):
            text, value = kind.make(rng)
            order, number = kind.order(value), kind.number(value)
            chance = rng.random()
            if mix in ("numbers", "all") and chance < 0.25:
                text, number = kind.plain(rng)
                # Clock times, versions and dates have no order among plain numbers.
                order = None if value is None or kind.number(value) != value else number
            elif mix in ("texts", "all") and chance < 0.45 and chance > 0.25:
                text, order, number = rng.choice(TEXTS), None, None
            elif mix in ("words", "all") and chance > 0.8:
                text, order, number = rng.choice(WORDS), None, None
            self.cells.append(text)
            self.isText.append(text in TEXTS + WORDS)
            self.values.append(order if question.isOrder else number)
        self.isDescending = rng.random() < 0.5
        self.options = " --decimal , --thousands ." if self.isContinental and rng.random() < 0.5 else ""

    @property
    def isContinental(self):
        """Whether numbers have a decimal comma, so that the marks may be given."""
        return "comma" in self.kind.name

    @property
    def key(self):
        """The column as a list of keys has it."""
        return '"' + self.name.replace('"', '""') + '"' if self.name else "@2"

    @property
    def expression(self):
        """The column as an expression has it."""
        return "`" + self.name.replace("`", "``") + "`" if self.name else "$2"

    @property
    def data(self):
        return harness.csv_text([("id", self.name), *enumerate(self.cells)])


class Answer:
    """What a command printed."""

    def __init__(self, trial, command):
        self.command = command
        run = harness.run(["bash", "-c", command], trial.data)
        self.status, self.errors = run.status, run.errors
        self.lines = harness.csv_rows(run.output)[1:]

    @property
    def rows(self):
        return [int(line[0]) for line in self.lines]

    @property
    def nulls(self):
        """How many cells a warning says to be null."""
        return sum(int(count) for count in re.findall(r"(\d+) cells? of .* treated as null", self.errors))


def remedies(errors):
    """What messages name, each as it is spelled: what is typed, and the word for what it does."""
    for line in errors.splitlines():
        if "treated as null" in line or "left out" in line:
            match = re.search(r"(?:treated as null|left out) \((.*)\)$", line)
            for part in match[1].split("; ") if match else []:
                part = re.sub(r"^(thousands|decimal commas)\? ", "", part)
                # The dates themselves are no numbers.
                part = re.sub(r", (date|datetime)\(.*\) (dates|times)$", "", part)
                # Whether 9:59 is hours and minutes, only the reader knows.
                if part.startswith("no function") or '++ ":00"' in part or '"0:" ++' in part:
                    continue
                yield from alternatives(re.sub(r" (sorts?|reads?|makes?) [^()']*$", "", part).removeprefix("without its type, "))
        elif match := re.search(r"was sorted by its letters; (--order .*) keeps the usual order", line):
            yield match[1]
        elif match := re.search(r"was sorted as text; (.*?)(?: (?:sorts|reads) [^']*)?$|'\); (.*?)(?: (?:sorts|reads|makes?) [^']*)?$", line):
            yield from alternatives(match[1] or match[2])


def alternatives(text):
    """`A (or B)` and `A or B`, once with each."""
    if text.startswith("sizes are written"):
        return [text]
    if match := re.fullmatch(r"(.*--date-format )(\S+|'[^']*') \(or (\S+|'[^']*')\)", text):
        return [match[1] + match[2], match[1] + match[3]]
    return text.split(" or ")


class Question:
    """A question that is asked of a column, first plainly and then with a remedy."""

    isOrder = False

    def check(self, trial, tabler):
        """What is wrong with the remedies that are named, if anything; and whether one was named."""
        plain = self.command(trial, tabler)
        before = Answer(trial, plain)
        if before.status not in (0, 1):
            return f"{plain}\n  status {before.status}: {before.errors.strip()}", False
        found = list(remedies(before.errors))
        wrongs = []
        isDate = len(found) > 1 and all("--date-format" in remedy for remedy in found)
        for remedy in found:
            command = self.remedied(trial, tabler, remedy)
            after = Answer(trial, command)
            if after.status not in (0, 1):
                wrong = f"status {after.status}: {after.errors.strip()}"
            else:
                wrong = self.wrong(trial, before, after)
            if wrong:
                wrongs.append(f"{before.errors.strip()}\n  {command}\n  {wrong}\n  cells {trial.cells}")
        if wrongs and not (isDate and len(wrongs) < len(found)):
            return wrongs[0], bool(found)
        return None, bool(found)

    @staticmethod
    def base(trial, tabler):
        return f"{tabler} --from csv -d , --csv{trial.options}"


class Sort(Question):
    isOrder = True

    def __init__(self, flag=""):
        self.flag = flag

    def key(self, trial):
        return ("-" if trial.isDescending else "") + trial.key + self.flag

    def command(self, trial, tabler):
        return f"{self.base(trial, tabler)} --sort {shlex.quote(self.key(trial))}"

    def remedied(self, trial, tabler, remedy):
        if remedy.startswith("--"):
            return f"{self.command(trial, tabler)} {remedy}"
        return f"{self.base(trial, tabler)} --sort {remedy}"

    def wrong(self, trial, before, after):
        if len(after.rows) != ROWS:
            return f"{len(after.rows)} rows"
        values = [trial.values[row] for row in after.rows]
        known = [value for value in values if value is not None]
        if " --null " in after.command:
            return None if after.nulls < before.nulls or not before.nulls else "no fewer nulls"
        if after.nulls > (before.nulls - 1 if before.nulls else sum(trial.isText)):
            return after.errors.strip()
        if known != sorted(known, reverse=trial.isDescending):
            return f"order {[trial.cells[row] for row in after.rows]}"
        return None


class Filter(Question):
    def limit(self, trial):
        """A number between two of the values."""
        known = sorted(set(value for value in trial.values if value is not None))
        place = len(known) // 2
        return (known[place - 1] + known[place]) / 2 if place else 3

    def condition(self, trial, reader):
        return shlex.quote(f"{reader} > {max(self.limit(trial), 0)}")

    def command(self, trial, tabler):
        return f"{self.base(trial, tabler)} --filter {self.condition(trial, trial.expression)}"

    def remedied(self, trial, tabler, remedy):
        if remedy.startswith("--"):
            return f"{self.command(trial, tabler)} {remedy}"
        return f"{self.base(trial, tabler)} --filter {self.condition(trial, remedy)}"

    def wrong(self, trial, before, after):
        limit = max(self.limit(trial), 0)
        right = {row for row, value in enumerate(trial.values) if value is not None and value > limit}
        if "--null" in after.command:
            return None if after.nulls < before.nulls and set(after.rows) == set(before.rows) else "no fewer nulls"
        if set(after.rows) != right:
            extra = [trial.cells[row] for row in sorted(set(after.rows) - right)]
            missing = [trial.cells[row] for row in sorted(right - set(after.rows))]
            return f"above {limit} should not be {extra}, and should be {missing}"
        return None


class Ages(Filter):
    """Rows of more than a duration."""

    def limit(self, trial):
        return 5400

    def condition(self, trial, reader):
        return shlex.quote(f"{reader} > 90m")

    def remedied(self, trial, tabler, remedy):
        if remedy == "sizes are written 20G or 512M":
            return f"{self.base(trial, tabler)} --filter " + shlex.quote(f"{trial.expression} > 90M")
        return super().remedied(trial, tabler, remedy)

    def wrong(self, trial, before, after):
        if after.command.endswith("90M'"):
            return None if after.nulls < before.nulls else "no fewer nulls"
        if "1s" in after.command:
            # It reads the numbers; other texts are what they were.
            isRight = set(before.rows) <= set(after.rows) and after.nulls < max(before.nulls, 1)
            return None if isRight else f"rows {after.rows}: {after.errors.strip()}"
        return super().wrong(trial, before, after)


class Total(Question):
    def command(self, trial, tabler):
        return f"{tabler} --from csv -d , --footer totals{trial.options}"

    def remedied(self, trial, tabler, remedy):
        return f"{self.command(trial, tabler)} {remedy}"

    def check(self, trial, tabler):
        before = Answer(trial, self.command(trial, tabler))
        note = re.search(r"has no total: (\d+) cells? .*; (--.*) reads [a-z]+$", before.errors, re.M)
        if not note:
            return None, False
        command = f"{self.base(trial, tabler)} {note[2]}"
        after = Answer(trial, command)
        # Another total is none of this note's business.
        left = re.search(r"(\d+) cells? of .* treated as null", after.errors)
        texts = sum(value is None for value in trial.values)
        if after.status != 0 or left and int(left[1]) > texts:
            return f"{before.errors.strip()}\n  {command}\n  {after.errors.strip()}\n  cells {trial.cells}", True
        if "--set" in note[2]:
            wrong = Types.differing(trial, after)
            if wrong:
                return f"{before.errors.strip()}\n  {command}\n  {wrong}", True
        return None, True


class Types(Question):
    def __init__(self, type="number"):
        self.type = type

    def command(self, trial, tabler):
        return f"{self.base(trial, tabler)} --types {shlex.quote(trial.key + ':' + self.type)}"

    def remedied(self, trial, tabler, remedy):
        if remedy.startswith("--types") or remedy.startswith("--set"):
            return f"{self.base(trial, tabler)} {remedy}"
        return f"{self.command(trial, tabler)} {remedy}"

    def wrong(self, trial, before, after):
        if "--set" not in after.command:
            return None if after.nulls < before.nulls else f"no fewer nulls: {after.errors.strip()}"
        return self.differing(trial, after)

    @staticmethod
    def differing(trial, after):
        for line, value in zip(after.lines, trial.values):
            text = line[1].replace(".", "").replace(",", ".") if trial.options else line[1]
            if value is not None and (not text or abs(float(text) - value) > 1e-6):
                return f"{trial.cells[int(line[0])]} became {line[1]}"
        return None


QUESTIONS = [Sort(), Sort(), Sort(":number"), Sort(":size"), Sort(":date"), Sort(":duration"), Filter(), Filter(), Ages(), Total(), Types(), Types("date"), Types("size")]


# MARK: Inputs


def ragged_csv(rng):
    names = ["suite", "codename", "created", "eol", "note"][:rng.randint(2, 5)]
    extra = rng.choice([[0, 0, 0, -1], [0, 0, 1, 2]])

    def row():
        count = max(1, len(names) + rng.choice(extra))
        return ",".join(rng.choice(["1", "Warty Warthog", "2004-10-20", "b", "3.5"]) for _ in range(count))
    return "".join(line + "\n" for line in [",".join(names), *(row() for _ in range(rng.randint(1, 30)))])


def short_csv(rng):
    names = "version,codename,series,created,release,eol".split(",")
    rows = [f"{rng.randint(4, 25)}.10,{rng.choice(['Warty Warthog', 'Hoary Hedgehog'])},warty,2004-03-05" for _ in range(rng.randint(1, 20))]
    return "".join(line + "\n" for line in [",".join(names), *rows])


def lists(rng):
    def item():
        return rng.choice(["1", "2.5", '"a"', '"b, c"', "null", "true"])
    return "".join("[%s]\n" % ", ".join(item() for _ in range(rng.randint(1, 4))) for _ in range(rng.randint(1, 6)))


def files(rng):
    words = ["photo", "Report 2", "a", "My notes, old", "notes", "2024-05-01"]
    return "".join(f"{rng.choice(words)} {rng.randint(1, 9)}.{rng.choice(['jpg', 'txt', 'pdf'])}\n" for _ in range(rng.randint(2, 12)))


def sentences(rng):
    words = "one two three four (five), six 7 8.5 9:30 ten".split()
    return "".join(" ".join(rng.sample(words, rng.randint(3, 9))) + "\n" for _ in range(rng.randint(10, 16)))


def sockets(rng):
    title = "State Recv-Q Send-Q Local Address:Port Peer Address:Port Process"
    rows = [f"LISTEN 0 {rng.choice([128, 4096])} 0.0.0.0:{rng.randint(20, 9000)} 0.0.0.0:*"
            + rng.choice(["", ' users:(("sshd",pid=1,fd=3))']) for _ in range(rng.randint(2, 8))]
    return "".join(line + "\n" for line in [title, *rows])


def users(rng):
    rows = [f"u{number}:x:{number}:{number}:{rng.choice(['', 'A B', 'Gnats, admin'])}:/home:/bin/sh" for number in range(rng.randint(2, 8))]
    return "".join(line + "\n" for line in ["root:x:0:0:root:/root:/bin/bash", *rows])


def mounts(rng):
    rows = [f"/dev/sd{letter} on /{letter} type ext4 ({rng.choice(['rw', 'rw,relatime', 'rw,nosuid,nodev'])})" for letter in "abcdef"]
    return "".join(line + "\n" for line in rng.sample(rows, rng.randint(2, 6)))


def tabs(rng):
    return "".join("\t".join(rng.choice(["a", "b, c", "1"]) for _ in range(3)) + "\n" for _ in range(rng.randint(2, 6)))


INPUTS = [ragged_csv, ragged_csv, short_csv, lists, files, sentences, sockets, users, mounts, tabs]
USES = ["", "", "--csv", "--jsonl", "--markdown", "--html", "--follow", "--sort @1 --csv", "--derive z=1", "--tail 2 --tsv"]


class Reading:
    """An input that may be read in another way, as a message says, or that may not."""

    def __init__(self, rng, make):
        self.kind, self.question, self.name = Kind(make.__name__, None), self, "any"
        self.data, self.use = make(rng), rng.choice(USES)

    @staticmethod
    def line(answer):
        """The line of what was wrong: what comes later cannot be known to a message."""
        match = re.search(r"<stdin>:(\d+)", answer.errors)
        return int(match[1]) if match else 0

    def check(self, _, tabler):
        command = f"{tabler} {self.use}"
        before = Answer(self, command)
        if before.status == 0:
            return None, False
        options = re.findall(r"; (--ragged \w+) ", before.errors)
        if match := re.search(r"\((?:[^()]*\? )?((?:--|-d ).*?)(?: reads [a-z ]+)?\??\)$", before.errors, re.M):
            options.append(match[1])
        for option in options:
            # A format's own message names a path of which only its user knows.
            after = before if "PATH" in option else Answer(self, f"{command} {option}")
            if after.status not in (0, 1) and after is not before and self.line(after) <= self.line(before):
                return (f"{before.errors.strip()}\n  {after.command}\n  {after.errors.strip()}\n  {self.data!r}"), True
        return None, bool(options)


def main():
    arguments = harness.arguments(__doc__, ("--count", 2000, "how many columns"), seed="1")
    rng = random.Random(arguments.seed)
    trials = [
        Trial(rng, rng.choice(KINDS), rng.choice(QUESTIONS)) if number % 5 else Reading(rng, rng.choice(INPUTS))
        for number in range(arguments.count)
    ]
    failed = named = 0
    with ThreadPoolExecutor(2) as pool:
        checked = pool.map(lambda trial: trial.question.check(trial, arguments.tabler), trials)
        for trial, (wrong, isNamed) in zip(trials, checked):
            named += isNamed
            if wrong:
                failed += 1
                print(f"{trial.kind.name}, {type(trial.question).__name__}, column {trial.name!r}:\n  {wrong}")
    print(f"{len(trials) - failed} passed, {failed} failed; {named} had a remedy named, seed {arguments.seed}")
    sys.exit(1 if failed or named < arguments.count / 4 else 0)


if __name__ == "__main__":
    main()
