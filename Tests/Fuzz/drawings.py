"""What box characters say about their neighbours."""

import unicodedata

ARMS = {"UP": "u", "DOWN": "d", "LEFT": "l", "RIGHT": "r", "VERTICAL": "ud", "HORIZONTAL": "lr"}
WEIGHTS = {"LIGHT": "light", "SINGLE": "light", "HEAVY": "heavy", "DOUBLE": "double", "ARC": "light"}


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
