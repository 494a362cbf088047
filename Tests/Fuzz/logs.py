#!/usr/bin/env python3
"""Compares lines of logs that are divided by patterns, or are logfmt, with Python's own regular expressions: --pattern.

Each kind of log has lines from a seed that is printed with every difference, some of them damaged: what matches must have the
same cells, from a file and from a pipe, and what does not must be left out, kept or refused, as --ragged says.
"""
import json
import os
import random
import re
import sys
import tempfile

import harness

QUOTED = r'(?:[^"\\]|\\.)*'
REQUEST = (r'^(?P<host>\S+) (?P<ident>\S+) (?P<user>\S+) \[(?P<time>[^\]]*)\] "(?P<method>(?:[^ "\\]|\\.)*)'
           r'(?: (?P<path>(?:[^ "\\]|\\.)*)(?: (?P<protocol>' + QUOTED + r'))?)?" (?P<status>\S+) (?P<bytes>\S+)')
KINDS = {
    "common": ("common", REQUEST + r"\Z"),
    "combined": ("combined", REQUEST + f' "(?P<referer>{QUOTED})" "(?P<agent>{QUOTED})"' + r"\Z"),
    "syslog": ("syslog", r"^(?:<(?P<priority>\d+)>)?(?P<time>[A-Z][a-z][a-z] [ \d]\d [\d:]+|\d{4}-\S+) (?P<host>\S+) "
               r"(?P<program>[^\s:\[]+)(?:\[(?P<pid>[^\]]*)\])?:(?: (?P<message>.*))?\Z"),
    "own": (r"/^(?<a>\w+)=(?<b>[^ ]*)(?: (?<c>.*))?$/", r"^(?P<a>\w+)=(?P<b>[^ ]*)(?: (?P<c>.*))?\Z"),
    "several ways": (r"/(?<a>.*)(?<b>\d+)(?<c>x*?)/", r"(?P<a>.*)(?P<b>\d+)(?P<c>x*?)"),
}


def line(rng, kind):
    """A line, which one of ten times is damaged."""
    text = rng.choice
    if kind in ("common", "combined"):
        request = text(["GET / HTTP/1.1", "POST /a%20b?c=d HTTP/2.0", "-", "", "GET /" + "x" * rng.randint(0, 99), r"\x16\x03", r'G \"q\" H', "a b c d"])
        made = f'{text(["::1", "10.0.0.7", "é.example"])} - {text(["-", "ana"])} [{text(["10/Oct/2000:13:55:36 -0700", ""])}] "{request}" {text(["200", "404", "-"])} {rng.randint(0, 99999)}'
        if kind == "combined":
            made += f' "{text(["-", "https://x.example/?q=1"])}" "{text(["curl/8", "Mozilla/5.0 (日本)", chr(92) + chr(34)])}"'
    elif kind == "syslog":
        made = text(["", "", "<34>"]) + text(["Nov 28 13:59:33", "Oct  1 00:00:00", "2026-11-28T13:59:33.1+00:00"])
        made += f' {text(["web", "h-1.example"])} {text(["kernel", "sshd[12]", "su", "a.b/c[x]"])}:' + text(["", " ", " [1.2] a: b", "  two", " é"])
    elif kind == "own":
        made = text(["a", "_1", "long" * 20]) + "=" + text(["", "x", "é=ü"]) + text(["", " ", " rest of it"])
    else:
        made = text(["", "x"]) * rng.randint(0, 9) + text(["", "1", "22 33x", "é4"])
    if rng.random() < 0.1 and made:
        place = rng.randrange(len(made))
        made = made[:place] + text(["", " ", '"', "[", ":", "\\"]) + made[place + 1:]
    return made


FIELD = re.compile(r'([^\x00-\x20="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^"\x00-\x20][^\x00-\x20]*|)))?(?=[\x00-\x20]|\Z)')
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


def fields(text):
    """The fields of a line of logfmt; None if it is none."""
    found, has_value, place = {}, False, 0
    while True:
        while place < len(text) and text[place] <= " ":
            place += 1
        if place == len(text):
            return found if has_value else None
        if not (match := FIELD.match(text, place)):
            return None
        place = match.end()
        key, quoted, plain = match.groups()
        if quoted is not None:
            found[key] = ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else LETTERS.get(m[3], m[0]), quoted)
        elif plain is not None:
            found[key] = {"true": True, "false": False, "null": None}.get(plain, plain)
        else:
            found[key] = True
        has_value = has_value or quoted is not None or plain is not None


def logfmt(rng, options, path):
    """Lines of logfmt: what differs."""
    text, lines = rng.choice, []
    for _ in range(options.lines):
        parts = []
        for key in rng.sample(["level", "msg", "n", "a.b", "Zoë", "t"], rng.randint(1, 5)):
            value = text(["", "info", "7", "-1.5e3", "007", "true", "null", "é=ü", r"C:\x", 'a"b', '""', '"two words"', r'"q\"q\\ \n\t"',
                          r'"\u00e9\x41\q"', '"7"'])
            parts.append(key + text(["=" + value] * 9 + [""]))
        made = text(["", " "]) + text([" ", "  ", "\t"]).join(parts)
        if rng.random() < 0.1:
            place = rng.randrange(len(made))
            made = made[:place] + text(['"', "=", " ", "\\"]) + made[place + 1:]
        lines.append(made)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    found = [fields(line) for line in lines if line.strip()]
    differences = []
    for ragged in ["skip", "fill", "error"]:
        words = [options.tabler, "--pattern", "logfmt", "--ragged", ragged, "--jsonl", "--quiet", path] + text([[], ["--memory", "1K"]])
        ended = harness.run(words)
        wanted = [row if row is not None else {"text": line} for row, line in zip(found, (line for line in lines if line.strip()))
                  if row is not None or ragged == "fill"]
        if ragged == "error":
            if ended.status != (3 if None in found else 0):
                differences.append(f"logfmt: status {ended.status}: {ended.errors}")
            continue
        rows = [json.loads(line, parse_int=str, parse_float=str) for line in ended.output.splitlines()]
        place = next((n for n, (one, two) in enumerate(zip(rows, wanted)) if one != two), None)
        if ended.status or len(rows) != len(wanted) or place is not None:
            differences.append(f"logfmt, --ragged {ragged}: status {ended.status} {ended.errors} {len(rows)} rows, not {len(wanted)}" + (
                f"; {rows[place]}, not {wanted[place]}" if place is not None else ""))
    return differences


def main():
    options = harness.arguments(__doc__, ("--lines", 10_000, "how many lines of each kind"))
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lines.log")
        for kind, (pattern, expression) in KINDS.items():
            rng = random.Random(f"{options.seed} {kind}")
            lines = [line(rng, kind) for _ in range(options.lines)]
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(text + "\n" for text in lines))
            # An empty line is none.
            lines = [text for text in lines if text]
            matches = [re.search(expression, text, re.ASCII) for text in lines]
            names = list(re.compile(expression).groupindex)
            for ragged in ["skip", "fill", "error"]:
                words = [options.tabler, "--pattern", pattern, "--ragged", ragged, "--jsonl", "--quiet"] + rng.choice([[], ["--memory", "1K"]])
                if rng.random() < 0.5:
                    ended = harness.run(words + [path])
                else:
                    with open(path, "rb") as file:
                        ended = harness.run(words, file.read())
                found = [json.loads(text, parse_int=str, parse_float=str, parse_constant=str) for text in ended.output.splitlines()]
                found = [[("" if row.get(name) is None else str(row[name]).replace("True", "true")) for name in names + ["text"]] for row in found]
                if ragged == "error":
                    first = next((n for n, match in enumerate(matches) if not match), len(lines))
                    wanted = 3 if first < len(lines) else 0
                    if ended.status != wanted:
                        differences += 1
                        print(f"seed {options.seed}, {kind}: status {ended.status}, not {wanted}: {ended.errors}")
                    continue
                expected = [[match[name] or "" for name in names] + [""] if match else [""] * len(names) + [text]
                            for match, text in zip(matches, lines) if match or ragged == "fill"]
                if ended.status or found != expected:
                    differences += 1
                    place = next((n for n, (one, two) in enumerate(zip(found, expected)) if one != two), min(len(found), len(expected)))
                    print(f"seed {options.seed}, {kind}, --ragged {ragged}: status {ended.status} {ended.errors} {len(found)} rows, not "
                          f"{len(expected)}; {found[place:place + 1]}, not {expected[place:place + 1]}")
        for difference in logfmt(random.Random(f"{options.seed} logfmt"), options, path):
            differences += 1
            print(f"seed {options.seed}, {difference}")
    print(f"seed {options.seed}: {options.lines} lines of {len(KINDS) + 1} kinds, {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
