#!/usr/bin/env python3
"""Asks whether a rule over many columns (`--validate '*: ...'`, `--cell '*: ...'`) says what one rule for each says.

A pattern is bound once for all columns of a type, a name for its own column alone: on random tables and expressions both
must print the same bytes, say the same and end with the same status.
"""
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import harness

NAMES = ["a", "b", "c", "d", "long name", "e.f", "value", "n"]
CELLS = [
    "", "1", "2", "-3.5", "10", "9", "10%", "9%", "1.5K", "2M", "x", "Kiwi", "NA", "null", "true", "false", "2024-01-02",
    "2024-02-30", "01/02/2024", "10:00", "1h", "red", "#00ff00", "blau", "long " * 9, "日本", '{"x": 5}', '[1, 2]', "7 ", "é",
]
TYPES = ["number", "int", "text", "date", "size", "duration", "bool"]
CONDITIONS = [
    "value > 5", "value >= 2 and value < 9", "value = \"x\"", "value > \"5\"", "value < \"b\"", "value in (1, 2, 10)",
    "value in (\"x\", \"Kiwi\")", "value between 1 and 9", "value like \"%i%\"", "value =~ /^[0-9]/", "value is null",
    "value is not empty", "not value > 5", "value * 2 > 5", "-value < round(value)", "length(value) > 2", "month(value) = 1",
    "contains(value, \"i\")", "starts_with(value, \"K\")", "is_number(value)", "value > a", "value != b or value > 3",
    "value > 5 or length(value) > 3", "value is distinct from a", "value.x = 5", "value[0] = 1", "value > date \"2024-01-01\"",
    "value > \"2024-01-01\"", "value > `value`", "upper(value) = \"X\"", "size(value) > 1000", "value", "value + 1 > a",
    "case when value > 5 then true else false end", "coalesce(value, 0) > 1", "value > 1h", "clamp(value, 0, 5) > 3",
]
COLORS = ["value", "if(value > 5, \"red\", \"green\")", "upper(value)", "coalesce(value, a)"]


def table(rng, names):
    rows = [[rng.choice(CELLS) for _ in names] for _ in range(rng.choice([1, 3, 8]))]
    for column in range(len(names)):
        if rng.random() < 0.4:
            for row in rows:
                row[column] = str(rng.randrange(20))
    return rows


def jsonl(rng, names, rows):
    def value(cell):
        plain = cell in ("null", "true", "false") or cell[:1] in "{[" and cell or cell.lstrip("-").replace(".", "", 1).isdigit()
        return cell if plain else '"%s"' % cell
    lines = []
    for row in rows:
        members = ['"%s": %s' % (name, value(cell)) for name, cell in zip(names, row)]
        lines.append("{" + ", ".join(member for member in members if rng.random() < 0.9 or member is members[0]) + "}\n")
    return "".join(lines)


def quoted(name):
    return name if name.isalpha() else "`%s`" % name


def question(number, seed):
    """The input, the options that both commands have, and the rules by a pattern and one by one."""
    rng = random.Random("%s %d" % (seed, number))
    names = rng.sample(NAMES, rng.choice([2, 3, 5]))
    if "a" not in names:
        names[0] = "a"
    if "b" not in names:
        names[-1] = "b"
    rows = table(rng, names)
    is_json = rng.random() < 0.3
    text = jsonl(rng, names, rows) if is_json else harness.csv_text([names, *rows])
    if is_json:
        # Columns are in the order in which they came.
        names = sorted(names, key=lambda name: text.index('"%s":' % name) if '"%s":' % name in text else len(text))
        names = [name for name in names if '"%s":' % name in text]
    common = ["--from", "jsonl" if is_json else "csv", *rng.choice([["--list"], ["--grid"], ["--stack"], ["--csv"], ["--markdown"]])]
    common += rng.choice([[], ["--memory", "1"], ["--sort", "a"], ["--tail", "2"]])
    for name in names:
        if rng.random() < 0.3:
            common += ["--types", "%s:%s" % (quoted(name), rng.choice(TYPES))]
    rule = rng.choice(CONDITIONS)
    # A pattern of --validate means no member that a record of JSON lacks, a name means all.
    if rng.random() < 0.5 and not is_json:
        option = "--validate"
        common += rng.choice([[], ["--invalid-only"]])
    else:
        option = "--cell"
        rule += " -> " + rng.choice(["bold", "fg=red", "bg=blue", "fg={%s}" % rng.choice(COLORS), "swatch", "bar", "heat"])
    if option == "--cell":
        common += ["--color", "always"]
    single = [word for name in names for word in (option, "%s: %s" % (quoted(name), rule))]
    return text, common, [option, "*: " + rule], single


def run(tabler, words, text):
    ended = harness.run([tabler, *words], text)
    # Of a rule that names its column the name is said as it was typed.
    return ended.bytes, ended.errors.replace("`", ""), ended.status


def check(tabler, number, seed):
    text, common, pattern, single = question(number, seed)
    together, apart = (run(tabler, [*common, *rules], text) for rules in (pattern, single))
    if together[2] == 2 and apart[2] == 2:
        return 0, None
    if together == apart:
        return 1, None
    words = " ".join("'%s'" % word for word in [*common, *pattern])
    return 1, "%d: %s\n%s\n%r\n%r" % (number, words, text, together, apart)


def main():
    arguments = harness.arguments(__doc__, ("--runs", 1500, "how many tables (default: %(default)s)"))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda number: check(arguments.tabler, number, arguments.seed), range(arguments.runs)))
    wrong = [found for _, found in results if found]
    for found in wrong[:10]:
        print(found)
    asked = sum(count for count, _ in results)
    print("%d tables, %d rules that were taken, %d differ" % (len(results), asked, len(wrong)))
    sys.exit(1 if wrong or asked < len(results) // 2 else 0)


if __name__ == "__main__":
    main()
