#!/usr/bin/env python3
"""Looks for cells that leak through the fast paths that copy whole records, and for bytes that depend on the budget.

Every list of shown columns meets every step, input form and output form, with next to no memory, with little and with
enough: output, messages and status must be the same, and what is hidden must not be printed.
"""
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import harness

ROWS = [("2", "hush", "c1"), ("1", "x", "c2"), ("3", "y", "c3"), ("2", "hush2", "c4")]
CSV = "a,b,c\n" + "".join(",".join(row) + "\n" for row in ROWS)
INPUTS = {
    "csv": CSV,
    "quoted csv": "a,b,c\n" + "".join('%s,"%s",%s\n' % row for row in ROWS),
    "tsv": CSV.replace(",", "\t"),
    "jsonl": "".join('{"a":%s,"b":"%s","c":"%s"}\n' % row for row in ROWS),
}
# Which columns are shown; whether `b`, which holds the secret, is among them.
SHOWN = [
    (["--hide", "*"], False), (["--columns", "!*"], False), (["--columns", "b"], True), (["--hide", "a"], True),
    (["--hide", "c"], True), (["--columns", "c,b,a"], True), (["--hide", "a,c"], True), (["--columns", "b,b=again"], True),
    (["--hide", "b"], False), ([], True),
]
# The steps, none of which shows `b` under another name.
STEPS = [
    [], ["--sort", "a"], ["--tail", "3"], ["--move", "1 to bottom"], ["--derive", "d=a+1"], ["--set", "a=3"],
    ["--set", "b=upper(b)", "--sort", "a"], ["--set", 'c="q,q"', "--tail", "2"], ["--add", "a=9"],
    ["--delete", 'b="hush"', "--sort", "a"], ["--filter", "a>1", "--sort", "b"], ["--types", "a:number", "--sort", "a"],
    ["--validate", "a: value>0", "--sort", "a"], ["--set", "a=3", "--derive", "d=1", "--move", "1 to 3"],
    ["--set", 'b="hushed" where a=1', "--sort", "c"], ["--select", "1", "--sort", "a"], ["--row-names", "a", "--sort", "a"],
]
FORMS = ["csv", "tsv", "json", "jsonl", "text", "markdown", "html"]


def run(tabler, case, memory):
    (name, text), (shown, _), step, form = case
    command = [tabler, "--to", form, "--from", name.split()[-1], *shown, *step, *memory]
    ended = harness.run(command, text)
    return ended.bytes, ended.errors, ended.status


def check(tabler, case):
    """What is wrong with a case; nothing if all is well."""
    runs = [run(tabler, case, memory) for memory in ([], ["--memory", "1"], ["--memory", "1K"])]
    if len(set(runs)) > 1:
        return "the budget changes what is printed"
    if runs[0][2] != 0:
        return "status %d: %s" % (runs[0][2], runs[0][1])
    if not case[1][1] and b"hush" in runs[0][0].lower():
        return "a hidden cell is printed"
    return None


def main():
    tabler = harness.arguments(__doc__).tabler
    cases = list(itertools.product(INPUTS.items(), SHOWN, STEPS, FORMS))
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for case, wrong in zip(cases, pool.map(lambda case: check(tabler, case), cases)):
            if wrong:
                failed += 1
                print("%s, %s, %s, %s: %s" % (case[0][0], case[1][0], case[2], case[3], wrong))
    print("%d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
