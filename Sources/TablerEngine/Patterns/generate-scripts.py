#!/usr/bin/env python3
"""Writes PatternScripts+Data.swift from Scripts.txt of the Unicode Character Database.

    ./generate-scripts.py [DIRECTORY]

Debian's package unicode-data puts the database into /usr/share/unicode, the default. A
line of the table is the name of a script and its ranges; of each range the distance
from the one before and its length less one, in base 32, the latter left out where 0.
"""

import os
import re
import sys

directory = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
scripts = {}
with open(os.path.join(directory, "Scripts.txt"), encoding="utf-8") as lines:
    version = re.search(r"Scripts-([\d.]+)\.txt", next(lines)).group(1)
    for line in lines:
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) == 2:
            first, _, last = fields[0].partition("..")
            scripts.setdefault(fields[1], []).append((int(first, 16), int(last or first, 16)))


def base32(number):
    digits = "0123456789abcdefghijklmnopqrstuv"
    text = ""
    while number >= 32:
        number, digit = divmod(number, 32)
        text = digits[digit] + text
    return digits[number] + text


def encoded(ranges):
    merged = []
    for first, last in sorted(ranges):
        if merged and first == merged[-1][1] + 1:
            merged[-1][1] = last
        else:
            merged.append([first, last])
    words, end = [], 0
    for first, last in merged:
        words.append(base32(first - end) + (":" + base32(last - first) if last > first else ""))
        end = last
    return words


target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "PatternScripts+Data.swift")
with open(target, "w", encoding="utf-8") as out:
    out.write(f"// Written by generate-scripts.py from Unicode {version}; do not edit.\n\n")
    out.write("extension PatternScripts {\n")
    out.write("  /// A line for each script: its name and its ranges.\n")
    out.write('  static let table: StaticString = """\n')
    for name in sorted(scripts):
        line = "    " + name
        for word in encoded(scripts[name]):
            if len(line) + len(word) + 1 > 106:
                out.write(line + " \\\n")
                line = "    " + word
            else:
                line += " " + word
        out.write(line + "\n")
    out.write('    """\n}\n')
