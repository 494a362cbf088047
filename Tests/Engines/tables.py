"""Typed tables made from a seed, as tabler reads them and as each engine declares them.

A value is None, an int, a Fraction that doubles hold exactly, a Decimal with two places, a text, a bool, a date or a
datetime of whole seconds. Every table has an `id` that no other row has: it breaks ties.
"""

import datetime
import decimal
import fractions
import json
import random

# What each type of a column is called: by tabler, and by each dialect of SQL.
TYPE_NAMES = {
    "int": {"tabler": "int", "sqlite": "BIGINT", "duckdb": "BIGINT", "postgres": "bigint", "clickhouse": "Int64",
            "spark": "BIGINT"},
    "small": {"tabler": "int", "sqlite": "INTEGER", "duckdb": "INTEGER", "postgres": "integer", "clickhouse": "Int32",
              "spark": "INT"},
    "double": {"tabler": "double", "sqlite": "DOUBLE", "duckdb": "DOUBLE", "postgres": "double precision",
               "clickhouse": "Float64", "spark": "DOUBLE"},
    "decimal": {"tabler": "decimal", "sqlite": "DECIMAL(12,2)", "duckdb": "DECIMAL(12,2)", "postgres": "numeric(12,2)",
                "clickhouse": "Decimal(12, 2)", "spark": "DECIMAL(12,2)"},
    "text": {"tabler": "text", "sqlite": "TEXT", "duckdb": "VARCHAR", "postgres": "text", "clickhouse": "String",
             "spark": "STRING"},
    "bool": {"tabler": "bool", "sqlite": "BOOLEAN", "duckdb": "BOOLEAN", "postgres": "boolean", "clickhouse": "Bool",
             "spark": "BOOLEAN"},
    "date": {"tabler": "date", "sqlite": "DATE", "duckdb": "DATE", "postgres": "date", "clickhouse": "Date",
             "spark": "DATE"},
    "datetime": {"tabler": "datetime", "sqlite": "DATETIME", "duckdb": "TIMESTAMP", "postgres": "timestamp",
                 "clickhouse": "DateTime", "spark": "TIMESTAMP"},
}

CITIES = [None, "", "Köln", "köln", "São Paulo", "東京", "New York", "a,b", "Zürich", "Oslo"]
LEVELS = ["low", "mid", "high"]

# Texts that formats and quoting trip over.
HOSTILE = [
    "", " ", "  two  blanks  ", "it's", '"quoted"', '""', "'", '"', "`back`", "\\", "\\\\", "a\\nb", "\\N", "C:\\temp\\new",
    "line\nbreak", "two\r\nlines", "lone\rreturn", "\n", "tab\there", "a,b;c|d", "NULL", "null", "NA", "nan", "true", "t",
    "0", "-5", "+1", "1,5", "1e400", "0x1F", "Infinity", "100%", "50%_off", "_", "%", "-- no comment", "/* none */", ";",
    "é", "e\u0301", "Ünïcödé", "naïve café", "重量", "Ελλάδα", "Привет", "👍", "👩\u200d👩\u200d👧", "🇩🇪", "\u00a0", "\ufeffbom",
    "${env:HOME}", "{name}", "$1", "A", "B", "a", "b", "Z", "z", "a-b", "ab", "a b", "aab", "xxaxx", "x.y*z", "[a]", "(",
    "^start", "end$", "foo", "foobar", "Foo", "FOO", "bar", "barfoo", "one two three", "a/b/c", "key=value", "=1+1", "@x",
]

# Texts that look like numbers, or nearly.
CODES = [None, "", "10", "9", "007", "7", "7.0", "7.50", "1e3", "1000", "-3", "+3", ".5", "5.", " 12 ", "12 ", "1_0", "inf",
         "nan", "0x10", "1,5", "abc", "12abc", "9007199254740993", "9007199254740992", "00", "0", "-0", "100000000000000000000"]

# Letters whose lower or upper case is another number of letters, or differs between languages.
STRANGE = [None, "straße", "STRASSE", "İstanbul", "ısı", "ﬁne", "ὈΔΥΣΣΕΎΣ", "ŉ", "ǆ", "plain", "Éclair", "ÿ", "µm"]

# Days that calendars disagree about, and the ends of weeks, months and years. The ClickHouse of 2018 prints the first moment
# of 1970 as 0000-00-00, so the next one stands for it.
DAYS = ["2024-02-29", "2023-02-28", "2024-12-30", "2024-12-31", "2025-01-01", "2021-01-01", "2021-01-03", "2020-12-31",
        "2000-02-29", "1999-12-31", "1970-01-02", "2024-01-31", "2024-03-31", "2024-03-10", "2016-01-03", "2026-11-01"]
TIMES = ["2024-02-29T23:59:59", "2024-03-31T02:30:00", "2024-10-27T02:30:00", "1970-01-01T00:00:01", "2000-01-01T00:00:00",
         "2024-12-31T23:59:59", "2025-01-01T00:00:00", "2021-06-15T12:00:00"]

BIGS = [0, 1, -1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, 2**63 - 2, -(2**63) + 1, 10**18, 10**18 + 1, 4294967296, 42]


class Table:
    """A table: its name, its columns as pairs of name and type, and its rows as lists of values."""

    def __init__(self, name, columns, rows):
        self.name, self.columns, self.rows = name, columns, rows

    @property
    def names(self):
        return [name for name, _ in self.columns]

    def type_option(self):
        """The value of `--types` that declares the columns."""
        return ",".join(f"{sort_name(name)}:{TYPE_NAMES[kind]['tabler']}" for name, kind in self.columns)

    def json_lines(self):
        """The rows as JSON Lines, so that null and an empty text differ."""
        return "".join(json_row(self.names, row) + "\n" for row in self.rows)

    def create(self, dialect, quoted_name, nullable="{}", tail="", types=None):
        """The statement that makes the table; `nullable` wraps a type that may be null, `types` replaces names of types."""
        parts = []
        for name, kind in self.columns:
            declared = (types or {}).get(kind, TYPE_NAMES[kind][dialect])
            parts.append(f"{quoted(name, dialect)} {declared if name == 'id' else nullable.format(declared)}")
        return f"CREATE TABLE {quoted_name} ({', '.join(parts)}){tail}"


def quoted(name, dialect):
    """A name in the quotes of a dialect."""
    if dialect in ("spark", "clickhouse", "sqlite"):
        if dialect == "clickhouse":
            return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
        return "`" + name.replace("`", "``") + "`"
    return '"' + name.replace('"', '""') + '"'


def sort_name(name):
    """A name as `--types`, `--sort` and `--columns` take it."""
    plain = name.replace("_", "").isalnum() and not name.isdigit()
    return name if plain else '"' + name.replace('"', '""') + '"'


def cell(value):
    """A value as text, None for null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, fractions.Fraction):
        return repr(float(value))
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return str(value)


def json_row(names, row):
    """A row as one line of JSON: numbers with all their digits, dates as texts."""
    parts = []
    for name, value in zip(names, row):
        if value is None:
            text = "null"
        elif isinstance(value, (bool, int, decimal.Decimal, fractions.Fraction)):
            text = cell(value)
        else:
            text = json.dumps(cell(value), ensure_ascii=False)
        parts.append(json.dumps(name, ensure_ascii=False) + ":" + text)
    return "{" + ",".join(parts) + "}"


def orders(seed="tables", count=300, name="orders"):
    """The table that questions are asked of."""
    chance = random.Random(f"{seed} {name} {count}")
    ids = list(range(1, count + 1))
    chance.shuffle(ids)
    columns = [("id", "int"), ("n", "small"), ("big", "int"), ("w", "double"), ("price", "decimal"), ("name", "text"),
               ("city", "text"), ("code", "text"), ("ok", "bool"), ("day", "date"), ("at", "datetime"),
               ("two words", "int"), ("order", "text"), ("größe", "double"), ("strange", "text")]
    rows = []
    for number, key in enumerate(ids):
        rows.append([
            key,
            maybe(chance, chance.randint(-20, 20)),
            maybe(chance, chance.choice(BIGS) if chance.random() < 0.7 else chance.randint(-(2**62), 2**62)),
            maybe(chance, fractions.Fraction(chance.randint(-8000, 8000), 8)),
            maybe(chance, decimal.Decimal(chance.randint(-100000, 1000000)).scaleb(-2)),
            # Each hostile text once, then any of them.
            HOSTILE[number] if number < len(HOSTILE) else maybe(chance, chance.choice(HOSTILE)),
            chance.choice(CITIES),
            chance.choice(CODES),
            maybe(chance, chance.random() < 0.5, 0.2),
            maybe(chance, a_day(chance)),
            maybe(chance, a_time(chance)),
            maybe(chance, chance.randint(0, 5)),
            chance.choice(LEVELS),
            maybe(chance, fractions.Fraction(chance.randint(0, 80), 8)),
            chance.choice(STRANGE),
        ])
    return Table(name, columns, rows)


def maybe(chance, value, share=0.12):
    """The value, or now and then null."""
    return None if chance.random() < share else value


def a_day(chance):
    if chance.random() < 0.5:
        return datetime.date.fromisoformat(chance.choice(DAYS))
    return datetime.date(1995, 1, 1) + datetime.timedelta(days=chance.randint(0, 12000))


def a_time(chance):
    if chance.random() < 0.4:
        return datetime.datetime.fromisoformat(chance.choice(TIMES))
    return datetime.datetime(1995, 1, 1) + datetime.timedelta(seconds=chance.randint(0, 10**9))


MANY_COLUMNS = [("id", "int"), ("n", "small"), ("w", "double"), ("price", "decimal"), ("name", "text"), ("city", "text"),
                ("day", "date")]


def write_many(file, count, first=0):
    """Writes rows of the large table as csv without header: made by arithmetic, so that a million takes a second or two.

    No text in it is null or empty, so that every loader reads it alike.
    """
    days = [(datetime.date(2020, 1, 1) + datetime.timedelta(days=number)).isoformat() for number in range(1461)]
    cities = ["Oslo", "Köln", "Zürich", "New York", "東京", "São Paulo", "Bern"]
    block = []
    for number in range(first, first + count):
        mixed = number * 2654435761 % 4294967296
        block.append(f'{number + 1},{mixed % 1000},{mixed % 8001 / 8},{mixed % 100000 / 100:.2f},"name {mixed % 50021}",'
                     f'"{cities[mixed % 7]}",{days[mixed % 1461]}\n')
        if len(block) == 10000:
            file.write("".join(block))
            block.clear()
    file.write("".join(block))


def many(name="many"):
    """The large table without its rows: `write_many` writes them."""
    return Table(name, MANY_COLUMNS, [])
