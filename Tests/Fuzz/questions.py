#!/usr/bin/env python3
"""Asks what a person asks of decorated data: the largest and the smallest, and rows that a filter keeps.

Sizes, money, percents, durations, versions, addresses, dates in several spellings, words for nothing, decimal commas,
numbers with remarks and numbers after words are made from a seed, and the right answer to each question is worked out
here. A question is asked plainly first. Where the answer is not the right one, a message must name what makes it so: an
option, a flag of the sort key, a function or a literal. That is taken out of the message and applied, and then the
answer must be right.
"""
import datetime
import random
import re
import shlex
import sys

import harness
from harness import commas, continental, short_duration

COUNT = 24
TOP = 4

# What sort keys may be given, and the options that messages name.
FLAG = re.compile(r"""(?<![\w"])(-?(?:"[^"]+"|\w+):(?:size|duration|natural|version|number|date))\b""")
OPTION = re.compile(r"(--(?:null|thousands|decimal|date-format)) ('(?:[^']|'\\'')*'|[^\s;)]+)")


class Question:
    """A question: the cells of a column beside their values, and a sort key or a filter that asks about them."""

    def __init__(self, name, cells, values, sort=None, filter=None, keeps=None, column="x"):
        self.name, self.cells, self.values, self.column = name, cells, values, column
        self.sort, self.filter = sort, filter
        numbered = [(value, number) for number, value in enumerate(values) if value is not None]
        if sort:
            ordered = sorted(numbered, key=lambda pair: pair[0], reverse=sort.startswith("-"))
            self.answer = [number for _, number in ordered[:TOP]]
        else:
            self.answer = [number for value, number in numbered if keeps(value)]

    def data(self):
        return harness.csv_text([("id", self.column), *enumerate(self.cells)])


class Comparison(Question):
    """A question about rows in which one cell is above that of another column, or above a text."""

    def __init__(self, name, cells, values, filter, keeps, others=None, column="x"):
        self.others = others
        super().__init__(name, cells, values, filter=filter, keeps=keeps, column=column)

    def data(self):
        if not self.others:
            return super().data()
        rows = zip(range(len(self.cells)), self.cells, self.others)
        return harness.csv_text([("id", self.column, "y"), *rows])


class Extreme(Question):
    """A question about the largest or smallest of a column, or of each row."""

    def __init__(self, name, cells, values, function, others=None):
        super().__init__(name, cells, values, filter=function, keeps=lambda value: True)
        self.others = others
        pick = max if function.startswith(("max", "greatest")) else min
        known = [(value, cell) for value, cell in zip(values, cells) if value is not None]
        if others:
            self.answer = [pick(pair, key=lambda one: one[0]) for pair in zip(known, others)]
        else:
            self.answer = [pick(known, key=lambda one: one[0])]

    def data(self):
        if not self.others:
            return super().data()
        rows = zip(range(len(self.cells)), self.cells, (cell for _, cell in self.others))
        return harness.csv_text([("id", "x", "y"), *rows])

    def isRight(self, given):
        return len(given) == len(self.answer) and all(map(self.isSame, given, self.answer))

    @staticmethod
    def isSame(given, answer):
        """Whether what was given is the cell, without zeros in front, or its value."""
        value, cell = answer
        if given.lstrip("0") == cell.lstrip("0"):
            return True
        if isinstance(value, datetime.datetime):
            time = datetime.datetime.fromisoformat(given)
            return time.replace(tzinfo=time.tzinfo or datetime.timezone.utc) == value
        parts = re.findall(r"([\d.]+)([dhms])", given)
        if parts and "".join(map("".join, parts)) == given.replace(" ", ""):
            return sum(float(count) * {"d": 86400, "h": 3600, "m": 60, "s": 1}[unit] for count, unit in parts) == value
        try:
            return abs(float(given) - float(value)) <= 1e-9 * abs(float(value))
        except (TypeError, ValueError):
            return False


class Attempt:
    """A question as it is asked: with options, and with what messages have named."""

    def __init__(self, question, tabler):
        self.question, self.tabler = question, tabler
        self.options, self.sort, self.filter = [], question.sort, question.filter

    def ask(self):
        if isinstance(self.question, Extreme):
            return self.askExtreme()
        command = [self.tabler, "--from", "csv", "--csv", "-c", "id", *self.options]
        command += ["--sort=" + self.sort, "-n", str(TOP)] if self.sort else ["--filter", self.filter]
        run = harness.run(command, self.question.data())
        self.notes = run.errors
        self.rows = [int(line) for line in run.output.split()[1:]] if run.status == 0 else None
        return self.rows == self.question.answer

    def askExtreme(self):
        asked = ["-c", "m", "--derive"] if self.question.others else ["--aggregate"]
        command = [self.tabler, "--from", "csv", "--csv", *self.options, *asked, f"m = {self.filter}"]
        run = harness.run(command, self.question.data())
        self.notes = run.errors
        self.rows = [row[0] for row in harness.csv_rows(run.output) if row][1:] if run.status == 0 else None
        return self.rows is not None and self.question.isRight(self.rows)

    def medicines(self):
        """What the messages name, each as what it makes of this attempt; options together, alternatives apart."""
        for note in self.notes.splitlines():
            options = [(name, shlex.split(value)[0]) for name, value in OPTION.findall(note)]
            formats = [option for option in options if option[0] == "--date-format"]
            others = [word for option in options if option[0] != "--date-format" for word in option]
            for chosen in formats or [()]:
                yield self.changed(options=[*others, *chosen])
            for key in FLAG.findall(note) if self.sort else []:
                yield self.changed(options=others, sort=key)
            if self.filter:
                yield from (self.changed(options=others, filter=text) for text in self.expressions(note))

    def expressions(self, note):
        """The filter with what a message names in it."""
        column = self.question.column
        literal = re.search(r"'([^']+)' would be calculated; the date is written (\w+ \"[^\"]+\")", note)
        if literal:
            yield self.filter.replace(literal[1], literal[2])
        percent = re.search(r"(\d+)% is written (\d+), and (size)\(x\)", note)
        if percent:
            yield self.replaced(f"{percent[3]}({column})").replace(percent[1] + "%", percent[2])
        compared = re.search(r"compared as text \(line .*?'\); (?:--.*? and )?(.*) compares? [\w ]+$", note)
        if compared:
            yield compared[1]
            # Of the two comparisons of `between` it may name the one that went wrong.
            reader = re.search(rf"\w+\({column}\)", compared[1])
            if reader:
                yield self.replaced(reader[0])
        advice = re.search(r"treated as null \((.*)\)$", note)
        for words in advice[1].split("; ") if advice else []:
            reader = re.match(r"(.*) reads? [a-z ]+$", words)
            if reader and not words.startswith("--"):
                yield self.replaced(reader[1])

    def replaced(self, reader):
        return re.sub(rf"\b{self.question.column}\b", lambda _: f"({reader})", self.filter)

    def changed(self, options=(), sort=None, filter=None):
        other = Attempt(self.question, self.tabler)
        other.options = [*self.options, *options]
        other.sort, other.filter = sort or self.sort, filter or self.filter
        return other if (other.options, other.sort, other.filter) != (self.options, self.sort, self.filter) else None


def solve(attempt, depth=3):
    """Whether an attempt, or what its messages make of it, has the right answer; what was asked last, for a failure."""
    if attempt.ask():
        return True
    if depth == 0:
        return False
    return any(solve(other, depth - 1) for other in list(attempt.medicines()) if other)


# MARK: Data


def distinct(rng, low, high, count=COUNT):
    return rng.sample(range(low, high), count)


def with_words(rng, cells, values, *words):
    """The same with words for nothing in a third of the cells."""
    cells, values = list(cells), list(values)
    for number in rng.sample(range(len(cells)), len(cells) // 3):
        cells[number], values[number] = rng.choice(words), None
    return cells, values


def sizes(rng, units, base, bare=False):
    cells, values = [], []
    for number, power in zip(distinct(rng, 100, 999), range(COUNT)):
        unit = rng.randrange(len(units))
        cells.append(f"{number / 10:.1f}{units[unit]}")
        values.append(number / 10 * base ** (unit + 1))
        if bare and power % 5 == 0:
            cells[-1], values[-1] = str(number), number
    return cells, values


def amounts(rng, spell):
    values = [number / 100 for number in distinct(rng, 500, 1_000_000)]
    return [spell(value) for value in values], values


def durations(rng, spell):
    values = distinct(rng, 20, 400_000)
    return [spell(value) for value in values], values


def versions(rng):
    values = set()
    while len(values) < COUNT:
        values.add((rng.randrange(1, 4), rng.randrange(30), rng.randrange(12)))
    values = list(values)
    rng.shuffle(values)
    return [".".join(map(str, value)) for value in values], values


def addresses(rng):
    values = [(10, rng.randrange(3), rng.randrange(256), host) for host in distinct(rng, 1, 250)]
    return [".".join(map(str, value)) for value in values], values


def dates(rng, pattern):
    first = datetime.date(2019, 1, 1)
    values = [first + datetime.timedelta(days=days) for days in distinct(rng, 0, 2500)]
    return [value.strftime(pattern) for value in values], values


# Ways to write times; each takes a time and a random generator. Most sort as text otherwise than by time.
TIME_FORMS = {
    "one offset": lambda time, rng: time.isoformat(timespec="milliseconds"),
    "no offset": lambda time, rng: time.replace(tzinfo=None).isoformat(sep=" ", timespec="milliseconds"),
    "offsets": lambda time, rng: time.astimezone(datetime.timezone(datetime.timedelta(
        minutes=rng.choice([-480, -210, 0, 60, 120, 330])))).isoformat(timespec="milliseconds"),
    "Z and offsets": lambda time, rng: rng.choice([
        time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        time.astimezone(datetime.timezone(datetime.timedelta(hours=rng.choice([1, 2])))).isoformat(timespec="milliseconds")]),
    "two marks": lambda time, rng: time.isoformat(sep=rng.choice("T "), timespec="milliseconds"),
    "short fractions": lambda time, rng: (time.isoformat(timespec="milliseconds")[:23].rstrip("0").rstrip(".")) + "Z",
    "offsets in numbers": lambda time, rng: time.astimezone(datetime.timezone(datetime.timedelta(
        hours=rng.choice([-5, 1, 2])))).strftime("%Y-%m-%dT%H:%M:%S.%f%z"),
}


def times(rng, form, count=COUNT, milliseconds=3000):
    first = datetime.datetime(2024, 3, 31, 0, 59, 57, tzinfo=datetime.timezone.utc)
    values = [first + datetime.timedelta(milliseconds=value) for value in distinct(rng, 0, milliseconds, count)]
    return [TIME_FORMS[form](value, rng) for value in values], values


def restarts(rng):
    values = distinct(rng, 0, 400)
    return [f"{value} ({rng.randint(1, 90)}{rng.choice('smhd')} ago)" if value % 4 else str(value) for value in values], values


# MARK: Questions


def questions(rng):
    yield from size_questions(rng)
    yield from money_questions(rng)
    yield from time_questions(rng)
    yield from zone_questions(rng)
    yield from date_questions(rng)
    yield from word_questions(rng)
    yield from lettered_questions(rng)
    for name, (cells, values) in [("versions", versions(rng)), ("addresses", addresses(rng))]:
        yield Question(f"newest or last {name}", cells, values, sort="-x")
        yield Question(f"oldest or first {name}", cells, values, sort="x")
    cells, values = restarts(rng)
    yield Question("most restarts", cells, values, sort="-x")
    yield Question("restarts above 100", cells, values, filter="x > 100", keeps=lambda value: value > 100)
    yield Question("restarts from 50 to 200", cells, values, filter="x between 50 and 200",
                   keeps=lambda value: 50 <= value <= 200)
    yield from compared_questions(rng)
    lengths = distinct(rng, 10, 900)
    cells = [f"{value / 10:.1f} kg" for value in lengths]
    yield Question("weights with a unit", cells, lengths, filter="x > 40", keeps=lambda value: value > 400)
    yield Question("heaviest with a unit", cells, lengths, sort="-x")


def size_questions(rng):
    for name, units, base, bare in [
        ("du", "KMG", 1024, True), ("kubectl", ["Ki", "Mi", "Gi"], 1024, False), ("MB", ["kB", "MB", "GB"], 1000, False)
    ]:
        cells, values = sizes(rng, units, base, bare)
        yield Question(f"largest sizes as of {name}", cells, values, sort="-x")
        yield Question(f"smallest sizes as of {name}", cells, values, sort="x")
        yield Question(f"sizes of {name} above 20M", cells, values, filter="x > 20M",
                       keeps=lambda value: value > 20 * 1024 ** 2)
        yield Question(f"sizes of {name} above bytes", cells, values, filter="x > 50000000",
                       keeps=lambda value: value > 50_000_000)
    cells, values = sizes(rng, "KMG", 1024)
    yield Question("sizes in a range", cells, values, filter="x between 100K and 1.5Gi",
                   keeps=lambda value: 100 * 1024 <= value <= 1.5 * 1024 ** 3)
    yield Question("sizes in megabytes", cells, values, filter="x / 1M > 30", keeps=lambda value: value > 30 * 1024 ** 2)
    cells, values = with_words(rng, cells, values, "-")
    yield Question("sizes beside dashes", cells, values, filter="x >= 1M", keeps=lambda value: value >= 1024 ** 2)
    yield Question("largest sizes beside dashes", cells, values, sort="-x")
    values = distinct(rng, 0, 100)
    cells = [f"{value}%" for value in values]
    yield Question("largest percents", cells, values, sort="-x")
    yield Question("percents above a number", cells, values, filter="x > 45", keeps=lambda value: value > 45)
    yield Question("percents above a percent", cells, values, filter="x > 45%", keeps=lambda value: value > 45)


def money_questions(rng):
    for name, spell in [
        ("thousands", commas),
        ("decimal commas", lambda value: f"{value:.2f}".replace(".", ",")),
        ("decimal commas and points", continental),
        ("apostrophes", lambda value: commas(value).replace(",", "'")),
        ("dollars", lambda value: f"${value:,.2f}"),
        ("euros after", lambda value: f"{value:.2f} €"),
        ("euros with a comma", lambda value: continental(value) + " €"),
        ("codes", lambda value: f"USD {value:.2f}"),
    ]:
        cells, values = amounts(rng, spell)
        yield Question(f"largest of {name}", cells, values, sort="-x")
        yield Question(f"{name} above 2500", cells, values, filter="x > 2500", keeps=lambda value: value > 2500)
    cells, values = amounts(rng, commas)
    cells, values = with_words(rng, cells, values, "NA")
    yield Question("largest of thousands beside NA", cells, values, sort="-x")
    yield Question("thousands below 4000 beside NA", cells, values, filter="x < 4000", keeps=lambda value: value < 4000)


def time_questions(rng):
    for name, spell in [
        ("short", short_duration), ("seconds", lambda value: f"{value}s"), ("standard", lambda value: f"PT{value}S")
    ]:
        cells, values = durations(rng, spell)
        yield Question(f"longest {name} durations", cells, values, sort="-x")
        yield Question(f"{name} durations above one", cells, values, filter="x > 1d", keeps=lambda value: value > 86400)
        yield Question(f"{name} durations above seconds", cells, values, filter="x > 7200", keeps=lambda value: value > 7200)
    values = distinct(rng, 20, 9000)
    cells = [str(value) for value in values]
    yield Question("numbers of seconds above a duration", cells, values, filter="x > 1h", keeps=lambda value: value > 3600)
    values = distinct(rng, 1_600_000_000, 1_750_000_000)
    limit = datetime.datetime(2022, 5, 1, tzinfo=datetime.timezone.utc).timestamp()
    for name, factor in [("seconds", 1), ("milliseconds", 1000)]:
        yield Question(f"{name} since 1970 after a date", [str(value * factor) for value in values], values,
                       filter='x >= date "2022-05-01"', keeps=lambda value: value >= limit)


def zone_questions(rng):
    for form in TIME_FORMS:
        for milliseconds in (100, 3000, 50_000_000):
            cells, values = times(rng, form, milliseconds=milliseconds)
            yield Question(f"newest times with {form} in {milliseconds} ms", cells, values, sort="-x")
            yield Question(f"oldest times with {form} in {milliseconds} ms", cells, values, sort="x")
        # Too many to look at all of them; at the change of the clocks, in a year, and far apart.
        for milliseconds in (10_000, 7_200_000, 20_000_000_000):
            cells, values = times(rng, form, 3000, milliseconds)
            yield Question(f"oldest of many times with {form} in {milliseconds} ms", cells, values, sort="x")
            yield Question(f"newest of many times with {form} in {milliseconds} ms", cells, values, sort="-x")
            limit = sorted(values)[1500]
            yield Comparison(f"many times with {form} in {milliseconds} ms above one", cells, values,
                             f'x > "{cells[values.index(limit)]}"', lambda value: value > limit)
            if form != "no offset":
                second = limit.replace(microsecond=0)
                yield Comparison(f"many times with {form} in {milliseconds} ms above a second", cells, values,
                                 f'x > "{second:%Y-%m-%dT%H:%M:%SZ}"', lambda value: value > second)
            yield Extreme(f"newest one of many times with {form} in {milliseconds} ms", cells, values, "max(x)")


def date_questions(rng):
    limit = datetime.date(2022, 5, 1)
    for pattern in ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d %b %Y", "%b %d, %Y", "%d-%b-%Y"]:
        cells, values = dates(rng, pattern)
        yield Question(f"newest {pattern}", cells, values, sort="-x")
        yield Question(f"{pattern} from a text on", cells, values, filter='x >= "2022-05-01"', keeps=lambda value: value >= limit)
        yield Question(f"{pattern} before a date", cells, values, filter='x < date "2022-05-01"', keeps=lambda value: value < limit)
        yield Question(f"{pattern} from an unquoted date on", cells, values, filter="x >= 2022-05-01",
                       keeps=lambda value: value >= limit)
    cells, values = dates(rng, "%d.%m.%Y")
    day = values[3]
    yield Question("one date", cells, values, filter=f'x = "{day}"', keeps=lambda value: value == day)
    yield Question("one of two dates", cells, values, filter=f'x in ("{day}", "{values[5]}")',
                   keeps=lambda value: value in (day, values[5]))
    yield Question("dates of a year", cells, values, filter='x between "2021-01-01" and "2021-12-31"',
                   keeps=lambda value: value.year == 2021)


def word_questions(rng):
    for word in ["NA", "N/A", "null", "-", "n/a", "none"]:
        values = distinct(rng, 0, 1000)
        cells, values = with_words(rng, map(str, values), values, word)
        yield Question(f"largest beside {word}", cells, values, sort="-x")
        yield Question(f"above 500 beside {word}", cells, values, filter="x > 500", keeps=lambda value: value > 500)
        yield Question(f"below 500 beside {word}", cells, values, filter="not (x >= 500)", keeps=lambda value: value < 500)
        days, percents, money = dates(rng, "%Y-%m-%d"), distinct(rng, 100, 999), distinct(rng, 100_000, 999_999)
        for name, (cells, values) in [("dates", days), ("percents", ([f"{value}%" for value in percents], percents)),
                                      ("thousands", ([f"{value:,}" for value in money], money))]:
            cells, values = with_words(rng, cells, values, word)
            yield Question(f"largest {name} beside {word}", cells, values, sort="-x")
            yield Question(f"smallest {name} beside {word}", cells, values, sort="x")


def lettered_questions(rng):
    """The first and the last of texts that begin with letters or a mark and have their numbers after these."""
    def numbered(spell):
        values = distinct(rng, 1, 1200)
        return [spell(value) for value in values], values

    def prefixed(prefix):
        cells, values = versions(rng)
        return [prefix + cell for cell in cells], values

    def days_and_seconds():
        values = [value * 86400 if value < 30 else value for value in distinct(rng, 1, 60)]
        return [f"PT{value}S" if value < 60 else f"P{value // 86400}D" for value in values], values

    for name, (cells, values) in [
        ("versions with a v", prefixed("v")), ("releases of an app", prefixed("app-")), ("tags", prefixed("release/")),
        ("nodes", numbered(lambda value: f"node-{value}")), ("pictures", numbered(lambda value: f"img{value}.png")),
        ("issues", numbered(lambda value: f"#{value}")), ("disks", numbered(lambda value: f"/dev/sd{value}")),
        ("whole amounts with a code", numbered(lambda value: f"USD {value}")),
        ("hours and minutes", numbered(lambda value: f"PT{value}H30M")), ("days and seconds", days_and_seconds()),
        ("dates with a day of the week", dates(rng, "%a, %d %b %Y")), ("long months", dates(rng, "%B %d, %Y")),
    ]:
        yield Question(f"last {name}", cells, values, sort="-x")
        yield Question(f"first {name}", cells, values, sort="x")


def clock(rng):
    values = distinct(rng, 0, 24 * 60)
    return [f"{value // 60}:{value % 60:02}" for value in values], values


def decorated(rng):
    """Kinds of cells of which something reads the values, and a text that is one of them."""
    percents = distinct(rng, 0, 300)
    lengths = distinct(rng, 10, 900)
    days = dates(rng, "%Y")[1]
    for name, (cells, values) in [
        ("percents", ([f"{value}%" for value in percents], percents)), ("sizes", sizes(rng, "KMG", 1024)),
        ("kubectl", sizes(rng, ["Ki", "Mi", "Gi"], 1024)), ("dollars", amounts(rng, lambda value: f"${value:.2f}")),
        ("dollars and thousands", amounts(rng, lambda value: f"${value:,.2f}")),
        ("euros with a comma", amounts(rng, lambda value: continental(value) + " €")),
        ("thousands", amounts(rng, commas)),
        ("decimal commas", amounts(rng, lambda value: f"{value:.2f}".replace(".", ","))),
        ("durations", durations(rng, short_duration)), ("seconds", durations(rng, lambda value: f"{value}s")),
        ("clock", clock(rng)), ("restarts", restarts(rng)),
        ("weights", ([f"{value / 10:.1f} kg" for value in lengths], [value / 10 for value in lengths])),
        ("days first", dates(rng, "%d/%m/%Y")), ("points", dates(rng, "%d.%m.%Y")),
        ("months first", dates(rng, "%m/%d/%Y")), ("named months", dates(rng, "%d %b %Y")),
        *((f"times with {form}", times(rng, form)) for form in TIME_FORMS),
        ("short dates", ([f"{value.year}-{value.month}-{value.day}" for value in days], days)),
    ]:
        yield name, cells, values


def compared_questions(rng):
    """Cells that are compared with those of another column, with a text, and with all others."""
    for name, cells, values in decorated(rng):
        others = list(zip(values[1:] + values[:1], cells[1:] + cells[:1]))
        above = {number for number, (value, other) in enumerate(zip(values, others)) if value > other[0]}
        yield Comparison(f"{name} above others", cells, list(range(COUNT)), "x > y", above.__contains__,
                         others=[cell for _, cell in others])
        limit = values[7]
        yield Comparison(f"{name} below a text", cells, values, f'x < "{cells[7]}"', lambda value: value < limit)
        low, high = sorted([values[3], values[11]])
        ends = f'"{cells[values.index(low)]}" and "{cells[values.index(high)]}"'
        yield Comparison(f"{name} between texts", cells, values, f"x between {ends}", lambda value: low <= value <= high)
        if name not in ("restarts", "weights"):
            for function in ["max(x)", "min(x)"]:
                yield Extreme(f"{function} of {name}", cells, values, function)
            yield Extreme(f"greatest of {name}", cells, values, "greatest(x, y)", others)
            yield Extreme(f"least of {name}", cells, values, "least(x, y)", others)
    values = distinct(rng, 0, 1000)
    numbers = list(map(str, values))
    yield Comparison("numbers above a text", numbers, values, 'x > "99"', lambda value: value > 99)
    cells = [f"{value:,}" for value in (value * 10 for value in values)]
    above = {number for number, value in enumerate(values) if value * 10 > 900 + number}
    yield Comparison("thousands above numbers", cells, list(range(COUNT)), "x > y", above.__contains__,
                     others=[str(900 + number) for number in range(COUNT)])
    for word in ["NA", "-", "n/a"]:
        cells, known = with_words(rng, numbers, values, word)
        above = {number for number, value in enumerate(known) if value is not None and value > 500}
        yield Comparison(f"above numbers beside {word}", cells, list(range(COUNT)), "x > y", above.__contains__,
                         others=["500"] * COUNT)
        yield Extreme(f"largest beside {word}", cells, known, "max(x)")
        cells, known = with_words(rng, *dates(rng, "%Y-%m-%d"), word)
        yield Extreme(f"newest beside {word}", cells, known, "max(x)" if word != "-" else "min(x)")


def main():
    arguments = harness.arguments(__doc__, seed="1")
    failed = passed = 0
    for question in questions(random.Random(arguments.seed)):
        attempt = Attempt(question, arguments.tabler)
        if solve(attempt):
            passed += 1
            continue
        failed += 1
        asked = attempt.sort or attempt.filter
        print(f"{question.name}: {asked}, seed {arguments.seed}, cells as {question.cells[:4]}\n"
              f"  right {question.answer}\n  given {attempt.rows}\n  {attempt.notes.strip() or 'no message'}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
