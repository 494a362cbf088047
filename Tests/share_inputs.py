#!/usr/bin/env python3
"""Makes the inputs that several cases have one file: links to `Inputs`, or to a sample that lies in `Cases`.

    Tests/share_inputs.py

May be run again whenever cases were added; what is shared keeps its name. An input of a line or two is left where it is.
"""

import collections
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "TablerCommandTests")
CASES, INPUTS = os.path.join(ROOT, "Cases"), os.path.join(ROOT, "Inputs")
SHORT = 16


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files(folder):
    return [path for path in sorted(entry.path for entry in os.scandir(folder)) if os.path.isfile(path)]


def name(cases, text, taken):
    """What the names of the cases begin with, word by word, or the word that most of them begin with."""
    words = [re.sub(r"^r\d+-", "", case).split("-") for case in cases]
    stem = "-".join(os.path.commonprefix(words)) or collections.Counter(first for first, *_ in words).most_common(1)[0][0]
    start, line = text[:1], text.split(b"\n")[0]
    kind = {b"{": "jsonl", b"[": "json"}.get(start) or ("tsv" if b"\t" in line else "csv" if b"," in line else "txt")
    names = [stem, *("%s-%d" % (stem, number) for number in range(2, len(taken) + 3))]
    return next(one for one in ("%s.%s" % (one, kind) for one in names) if one not in taken)


def main():
    os.makedirs(INPUTS, exist_ok=True)
    shared = {read(path): path for path in [*files(INPUTS), *files(CASES)]}
    cases = {}
    for case in sorted(os.listdir(CASES)):
        path = os.path.join(CASES, case, "input")
        if os.path.isfile(path) and not os.path.islink(path):
            cases.setdefault(read(path), []).append(case)
    count = 0
    for text, users in cases.items():
        if text not in shared and len(users) > 1 and len(text) > SHORT:
            shared[text] = os.path.join(INPUTS, name(users, text, os.listdir(INPUTS)))
            with open(shared[text], "wb") as file:
                file.write(text)
        if text in shared and len(text) > SHORT:
            for case in users:
                path = os.path.join(CASES, case, "input")
                os.unlink(path)
                os.symlink(os.path.relpath(shared[text], os.path.join(CASES, case)), path)
                count += 1
    print("%d inputs made links; %d files are shared" % (count, len(files(INPUTS))))


if __name__ == "__main__":
    main()
