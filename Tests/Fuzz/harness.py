"""What the programs beside this file share: arguments, runs of tabler, what it lists of itself, tables, spellings."""

import argparse
import csv
import io
import os
import re
import subprocess


def arguments(about, *more, seed="ci"):
    """The arguments of a program: `--tabler`, a full path; `--seed`; and more, each a name, its default and its help."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--tabler", default=".build/release/tabler", help="the program (default: %(default)s)")
    parser.add_argument("--seed", default=seed, help="where random numbers begin (default: %(default)s)")
    for name, default, text in more:
        kind = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument(name, help=text, **kind)
    options = parser.parse_args()
    options.tabler = os.path.abspath(options.tabler)
    return options


class Ended:
    """A run that has ended: its status, what it wrote, byte by byte and as text, and what it said."""

    def __init__(self, run):
        self.status, self.bytes, self.errors = run.returncode, run.stdout, run.stderr.decode(errors="replace")

    @property
    def output(self):
        return self.bytes.decode(errors="replace")


def run(words, data=None, folder=None, timeout=60):
    """Runs a program on a text or bytes; without either its input is empty."""
    data = data.encode(errors="surrogateescape") if isinstance(data, str) else data
    return Ended(subprocess.run(words, input=data or b"", capture_output=True, cwd=folder, timeout=timeout))


# ------------------------------------------------------------------------------------------ what the program lists

def listed_options(program):
    """The rows of the table of options: the spellings, and the value."""
    text = run([program, "--generate", "markdown-options"]).output
    return [re.split(r"(?<!\\)\|", line)[1:3] for line in text.splitlines() if line.startswith("| `")]


def listed_functions(program):
    text = run([program, "--help"]).output
    return sorted(set(re.findall(r"^  ([a-z_0-9]+)\(", text, re.M)))


# ----------------------------------------------------------------------------------------------- tables and values

def csv_text(rows, delimiter=","):
    """Rows as csv; None is an empty cell."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def csv_rows(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def commas(value):
    return f"{value:,.2f}"


def continental(value):
    return commas(value).translate(str.maketrans(",.", ".,"))


def short_duration(seconds):
    parts = [(seconds // 86400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    return "".join(f"{count}{unit}" for count, unit in parts if count) or "0s"
