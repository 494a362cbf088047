#!/usr/bin/env python3
"""Writes UnicodeTables+Data.swift from the Unicode Character Database.

    ./generate-unicode.py [DIRECTORY]

DIRECTORY holds UnicodeData.txt and its like; Debian's package unicode-data puts them
into /usr/share/unicode, the default.

Every code point gets a word of traits (`ScalarTraits` in Swift). There are some forty
different words, so the file holds: the words; which word each code point has, in blocks
of 64 that are stored once; which block each stretch of 64 code points is. Numbers are
written as letters of a string literal, six bits each, from `0` (48) to `o` (111): such
a literal lies in the program as it is, costs nothing at start, and compiles quickly.
The literal is a raw one because the backslash is one of the letters.
"""

import os
import re
import sys

LIMIT = 0x110000
BLOCK = 64

# The first four stand for themselves: Swift's fast path is "less than 16".
BREAKS = ["Other", "L", "LV", "LVT", "V", "T", "CR", "LF", "Control", "Extend", "ZWJ",
          "Regional_Indicator", "Prepend", "SpacingMark"]
CONJUNCT_ROLES = ["none", "consonant", "linker", "extend"]

# Indic conjuncts (rule GB9c) came with Unicode 15.1; the scripts are the ones it names.
CONJUNCT_BLOCKS = [(0x0900, 0x09FF), (0x0A80, 0x0B7F), (0x0C00, 0x0C7F), (0x0D00, 0x0D7F)]

# Symbols that became wide with Unicode 16.0, as terminals had drawn them before.
WIDE_SINCE = [(0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D356),
              (0x1D360, 0x1D376)]


def rows(path):
    """The fields of every line of a file of the database that is not a comment."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if fields[0]:
                yield fields


def span(field):
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def property_set(path, name):
    return {point for fields in rows(path) if fields[1] == name for point in span(fields[0])}


def property_map(path, default):
    values = [default] * LIMIT
    for fields in rows(path):
        for point in span(fields[0]):
            values[point] = fields[1]
    return values


def categories(path):
    values = ["Cn"] * LIMIT
    first = None
    for fields in rows(path):
        point = int(fields[0], 16)
        if fields[1].endswith("First>"):
            first = point
        elif fields[1].endswith("Last>"):
            values[first:point + 1] = [fields[2]] * (point + 1 - first)
        else:
            values[point] = fields[2]
    return values


def widths(path, category):
    """East_Asian_Width with the defaults the file states for code points not assigned."""
    values = ["N"] * LIMIT
    for first, last in [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
                        (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]:
        values[first:last + 1] = ["W"] * (last + 1 - first)
    for fields in rows(path):
        for point in span(fields[0]):
            values[point] = fields[1]
    for first, last in WIDE_SINCE:
        values[first:last + 1] = ["W"] * (last + 1 - first)
    # Pictographs still to come: every one assigned in this block so far is wide.
    for point in range(0x1FA70, 0x1FB00):
        if category[point] == "Cn":
            values[point] = "W"
    return values


class Database:
    def __init__(self, folder):
        def at(name):
            return os.path.join(folder, name)

        with open(at("EastAsianWidth.txt"), encoding="utf-8") as lines:
            self.version = re.search(r"-(\d+\.\d+)\.\d+\.txt", lines.readline()).group(1)
        self.category = categories(at("UnicodeData.txt"))
        self.width = widths(at("EastAsianWidth.txt"), self.category)
        self.breaks = property_map(at("auxiliary/GraphemeBreakProperty.txt"), "Other")
        # Vowel signs of Myanmar and a few more that UAX #29 leaves alone, though they
        # are drawn with their base: with it they are one cluster here.
        for point in range(LIMIT):
            if self.category[point] == "Mc" and self.breaks[point] == "Other":
                self.breaks[point] = "SpacingMark"
        self.pictographs = property_set(at("emoji/emoji-data.txt"), "Extended_Pictographic")
        self.modifiers = property_set(at("emoji/emoji-data.txt"), "Emoji_Modifier")
        self.ignorable = property_set(at("DerivedCoreProperties.txt"), "Default_Ignorable_Code_Point")
        self.prepended = property_set(at("PropList.txt"), "Prepended_Concatenation_Mark")
        syllabic = at("IndicSyllabicCategory.txt")
        conjuncts = {point for first, last in CONJUNCT_BLOCKS for point in range(first, last + 1)}
        self.consonants = property_set(syllabic, "Consonant") & conjuncts
        self.linkers = property_set(syllabic, "Virama") & conjuncts
        self.widened = {int(fields[0].split()[0], 16)
                        for fields in rows(at("emoji/emoji-variation-sequences.txt"))
                        if fields[0].endswith("FE0F")}

    def cells(self, point):
        """0, 1 or 2 cells; 3 for an ambiguous character."""
        category = self.category[point]
        if category in ("Mn", "Me", "Mc", "Zl", "Zp"):
            return 0
        if category == "Cc" or self.breaks[point] in ("V", "T"):
            return 0
        if category == "Cf" and point != 0xAD and point not in self.prepended:
            return 0
        if point in self.ignorable and point not in (0xAD, 0x115F):
            return 0
        if self.width[point] in ("W", "F") or self.breaks[point] == "Regional_Indicator":
            return 2
        return 3 if self.width[point] == "A" else 1

    def conjunct_role(self, point):
        if point in self.consonants:
            return "consonant"
        if point in self.linkers:
            return "linker"
        joins = self.breaks[point] in ("Extend", "ZWJ") and point != 0x200C
        return "extend" if joins else "none"

    def traits(self, point):
        """The word that ScalarTraits.swift takes apart."""
        cells = self.cells(point)
        word = cells | BREAKS.index(self.breaks[point]) << 2
        word |= CONJUNCT_ROLES.index(self.conjunct_role(point)) << 6
        for bit, holds in enumerate([
                point in self.pictographs,
                self.category[point] == "Mc",
                point in self.modifiers,
                point in self.widened and cells != 2]):
            word |= int(holds) << 8 + bit
        return word


def letter(number):
    assert 0 <= number < 64
    return chr(48 + number)


def letters(number, count):
    return "".join(letter(number >> 6 * place & 63) for place in reversed(range(count)))


def literal(name, comment, text):
    lines = [text[at:at + 96] for at in range(0, len(text), 96)]
    body = "\\#\n".join("      " + line for line in lines)
    return (f'  /// {comment}\n  @inline(__always)\n  static var {name}: StaticBytes {{\n    StaticBytes(\n'
            f'      #"""\n{body}\n      """#)\n  }}\n')


def main():
    database = Database(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    words, blocks, stretches = {}, {}, []
    for first in range(0, LIMIT, BLOCK):
        block = "".join(letter(words.setdefault(database.traits(point), len(words)))
                        for point in range(first, first + BLOCK))
        stretches.append(letters(blocks.setdefault(block, len(blocks)), 2))
    parts = [
        literal("words", "The traits that occur, two letters each.",
                "".join(letters(word, 2) for word in words)),
        literal("stretches", "Two letters for every 64 code points: which block they are.",
                "".join(stretches)),
        literal("blocks", "Sixty-four letters a block, one for each code point: which traits it has.",
                "".join(blocks)),
    ]
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "UnicodeTables+Data.swift")
    with open(target, "w", encoding="ascii") as file:
        file.write("// Written by generate-unicode.py; do not edit.\n\n"
                   "extension UnicodeTables {\n"
                   "  /// The version of the Unicode Character Database the tables were read from.\n"
                   f'  static let version = "{database.version}"\n\n'
                   + "\n".join(parts) + "}\n")
    print(len(words), "words", len(blocks), "blocks", os.path.getsize(target), "bytes")


if __name__ == "__main__":
    main()
