#!/usr/bin/env python3
"""Random expressions: what `--explain` prints for each dialect is one statement that sqlglot parses, or it is refused.

The expressions are those of Tests/Fuzz/fuzz.py, over columns of all types.
"""

import collections
import concurrent.futures
import os
import random
import shlex
import subprocess
import sys

import engines
import injection

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fuzz"))
import fuzz  # noqa: E402
import harness  # noqa: E402

COLUMNS = [("id", "int"), ("a", "int"), ("b", "double"), ("price", "decimal"), ("name", "text"), ("x y", "text"), ("ok", "bool"), ("day", "date"),
           ("at", "datetime")]
# What a run may be told: it is printed, refused, or no right expression.
STATUSES = (0, 2)


def words_of(chance, functions):
    """The options of a query with random expressions."""
    titles = [name for name, _ in COLUMNS]

    def one():
        return fuzz.expression(chance, titles, functions).replace("\0", "")
    options = [("--derive", lambda: "new = " + one()), ("--filter", one), ("--set", lambda: "name = " + one()), ("--sort", lambda: f"({one()})"),
               ("--aggregate", lambda: f"n = count({one()}), m = max({one()})")]
    # Of several, one is likely to be refused.
    chosen = chance.sample(options, chance.choice([1, 1, 1, 2]))
    return [word for option, value in options if (option, value) in chosen for word in (option, value())]


def ask(given, seed, numbers, functions):
    """Asks for some queries; the outcomes, and what failed."""
    outcomes, failures = collections.Counter(), []
    with injection.Judge(given.venv) as judge:
        for number in numbers:
            chance = random.Random(f"{seed} {number}")
            dialect = chance.choice(list(injection.DIALECTS))
            words, run = injection.explain(given, dialect, words_of(chance, functions), COLUMNS)
            said = run.stderr.decode(errors="replace")
            if run.returncode not in STATUSES or run.returncode and not said:
                failures.append((number, f"status {run.returncode}: {said[:500]}", words))
            elif run.returncode:
                outcomes["refused"] += 1
            else:
                found = judge.judged(run.stdout.decode(errors="replace"), dialect)
                outcomes["parsed"] += 1
                if "error" in found or found["statements"] != 1 or found["kinds"] != ["Select"]:
                    failures.append((number, f"sqlglot finds {found}: {run.stdout.decode(errors='replace')[:1500]}", words))
    return outcomes, failures


def main():
    given = engines.options(__doc__, ("--count", {"type": int, "default": 1000, "help": "how many queries (default: %(default)s)"}))
    functions = harness.listed_functions(given.tabler)
    jobs = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(lambda job: ask(given, given.seed, range(job, given.count, jobs), functions), range(jobs)))
    outcomes = sum((part for part, _ in parts), collections.Counter())
    failures = [failure for _, part in parts for failure in part]
    for number, message, words in failures[:20]:
        print(f"  {number}: {message}\n    {shlex.join(words)}")
    print(f"seed {given.seed}: {outcomes['parsed']} parsed, {outcomes['refused']} refused, {len(failures)} failed")
    if outcomes["parsed"] * 20 < given.count:
        print("  hardly any were printed")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
