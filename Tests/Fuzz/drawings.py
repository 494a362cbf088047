"""What a frame says about its characters and about the cells in it."""

import collections
import functools
import re
import unicodedata

ARMS = {"UP": "u", "DOWN": "d", "LEFT": "l", "RIGHT": "r", "VERTICAL": "ud", "HORIZONTAL": "lr"}
WEIGHTS = {"LIGHT": "light", "SINGLE": "light", "HEAVY": "heavy", "DOUBLE": "double", "ARC": "light"}


@functools.cache
def arms(character):
    """The arms of a box character and the weight of each."""
    if not "\u2500" <= character <= "\u257f":
        return {}
    found = {}
    # As in "DOWN HEAVY AND LEFT UP LIGHT", "LIGHT DOWN AND RIGHT" and "DOUBLE VERTICAL".
    usual, waiting = "light", []
    for word in unicodedata.name(character).removeprefix("BOX DRAWINGS ").split():
        if word in WEIGHTS and not waiting and not found:
            usual = WEIGHTS[word]
        elif word in WEIGHTS:
            found.update(dict.fromkeys(waiting, WEIGHTS[word]))
            waiting = []
        else:
            waiting += ARMS.get(word, "")
    found.update(dict.fromkeys(waiting, usual))
    return found


def joint_law(grid, first=0):
    """Each arm meets one of its own weight; says where one does not."""
    ways = (("u", "d", 0, -1), ("d", "u", 0, 1), ("l", "r", -1, 0), ("r", "l", 1, 0))
    for y, line in enumerate(grid):
        for x, character in enumerate(line):
            for arm, back, dx, dy in ways:
                weight = arms(character).get(arm)
                if weight is None:
                    continue
                near = grid[y + dy] if 0 <= y + dy < len(grid) else []
                other = arms(near[x + dx]).get(back) if 0 <= x + dx < len(near) else None
                if other != weight:
                    return "line %d, cell %d: the %s arm of %r meets %s" % (first + y + 1, x + 1, weight, character, other or "nothing")
    return None


def columns_of(grid):
    """The pieces between the lines that part columns, column by column; those of lines over all columns are left out."""
    places = [tuple(x for x, c in enumerate(line) if c in "\u2502\u2503\u2551") for line in grid]
    usual = collections.Counter(place for place in places if len(place) > 2).most_common(1)
    if not usual:
        return []
    walls = usual[0][0]
    lines = [line for line, place in zip(grid, places) if place == walls]
    return [[line[start + 1:end] for line in lines] for start, end in zip(walls, walls[1:])]


def without_signs(cells):
    """The cells of a text without the marks and sort signs that stand beside it."""
    return [" " if c in "⚠▲▼¹²" or c == "o" and [" "] == cells[at - 1:at] and cells[at + 1:at + 2] in ([], [" "]) else c
            for at, c in enumerate(cells)]


def alignment_law(grid):
    """Texts of a column begin in one place, or end in one, or have their decimal point in one; marks do not count."""
    for number, column in enumerate(columns_of(grid)):
        texts = [cells for cells in map(without_signs, column) if "".join(cells).strip()]
        starts, ends, points = set(), set(), set()
        for cells in texts:
            filled = [x for x, c in enumerate(cells) if c != " "]
            text = "".join(cells)
            starts.add(filled[0])
            ends.add(filled[-1])
            whole = re.match(r" *[+-]?\d*", text)
            if re.fullmatch(r" *[+-]?\d*\.?\d*([eE][+-]?\d+)? *", text):
                points.add(whole.end())
        if min(len(starts), len(ends)) > 1 and len(points) != 1:
            return "column %d is not aligned: %r" % (number + 1, ["".join(cells) for cells in texts])
    return None
