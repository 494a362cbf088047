"""What the programs beside this file share: arguments, runs of tabler and their cost, what it lists of itself, tables."""

import argparse
import csv
import io
import os
import re
import struct
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


# ------------------------------------------------------------------------------------- what a run costs in instructions

# The same numbers as callgrind gives, which keeps books on calls too: a third more seconds of the processor.
COUNTER = ["valgrind", "--tool=exp-bbv", "--instr-count-only=yes", "--bb-out-file=/dev/null", "--vgdb=no"]


def copy_to_count(program, folder):
    """A copy of a program without the table of its sections: valgrind reads all that it names, before each run."""
    copy = os.path.join(folder, "tabler")
    with open(program, "rb") as file:
        data = bytearray(file.read())
    # Where the table is, and how many rows it has, in the header of a file of 64 bits.
    if data[:5] == b"\x7fELF\x02":
        struct.pack_into("<Q", data, 0x28, 0)
        struct.pack_into("<HH", data, 0x3C, 0, 0)
    with open(copy, "wb") as file:
        file.write(data)
    os.chmod(copy, 0o755)
    return copy


def instructions(errors):
    """How many instructions COUNTER found in all threads, or None; how often a `rep` repeated is counted apart."""
    counts = re.findall(rb"Total (?:instructions|reps): (\d+)", errors)
    return sum(map(int, counts)) if counts else None


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
