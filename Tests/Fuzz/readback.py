#!/usr/bin/env python3
"""Pipes what tabler drew into tabler again: it must read the titles and cells that it drew.

Each table has a few columns and rows, and is drawn as List, Stack or Grid with random borders, rules, marks, spacing,
titles, sections and footers, or as Markdown or for pandoc.
"""
import random
import sys

import harness

WORDS = ["kiwi", "x", "Mango fruit", "12", "-7", "3.50", "a|b", "*x*", "c_d", "`q`", "1-2", "日本", "<b>", "two\nlines", "5 %", "#1", "a:b", "--", "~s~"]
PLAIN = ["kiwi", "x", "fig", "12", "-7", "3.50", "日本", "b-2", "Mango"]
TITLES = ["a", "b", "id", "name", "weight", "n", "日付", "price_eur", "x-y"]
ABOVE = "What stands above the table, a title or a caption; it is wider than that"
BORDERS = ["light", "heavy", "double", "round", "rules", "outline", "ascii"]


class Drawing:
    def __init__(self, rng):
        choose = rng.choice
        self.choose = choose
        self.form = choose(["text"] * 4 + ["markdown", "pandoc"])
        self.layout = choose(["list", "stack", "grid"])
        # Below a short title hyphens may be too few for a rule.
        self.titles = rng.sample(TITLES, rng.randint(2, 4)) if choose([0, 1, 1, 1]) else ["weight"]
        words = WORDS if self.form != "text" or self.layout == "grid" and rng.random() < 0.5 else PLAIN
        if self.form == "text":
            # Lines of a cell are read as rows unless rules part these.
            words = [word for word in words if "\n" not in word]
        self.rows = [[choose(words) for _ in self.titles] for _ in range(choose([1, 2, 3, 7]))]
        self.words = ["--" + self.layout, "-t", self.form]
        # In Markdown a mark is a part of its cell.
        if self.form == "text" and choose([0, 0, 1]):
            self.words += ["--validate", f"`{self.titles[0]}`: value = 'none'", "--validate", f"`{self.titles[-1]}`: value is null"]
        if self.form == "text":
            border = choose(BORDERS)
            self.words += ["--border", border] + choose([[], ["--row-rules"]])
            if border == "ascii" or choose([0, 0, 1]):
                self.words += ["--ascii"]
                if "--validate" in self.words:
                    # After a text an exclamation mark may be of it.
                    for row in self.rows:
                        row[0], row[-1] = choose(["12", "-7", "3.50"]), choose(["1", "200"])
            if self.layout != "grid":
                # A single blank parts no columns over one rule, and no titles over one of ASCII.
                spacing = "1" if self.layout == "list" and "--ascii" not in self.words else "3"
                self.words += choose([[], [], ["--separator", " | "], ["--separator", "line"], ["--column-spacing", spacing], ["--column-spacing", "4"]])
            # In ASCII the room between two rows may be a row of nulls of psql.
            isDoubtful = "--ascii" in self.words and len(self.rows) == 2
            if "--separator" not in self.words or "--row-rules" not in self.words and not isDoubtful:
                self.words += choose([[], [], [], ["--row-spacing", "1"]]) if self.layout != "grid" else []
            # A lone rule of hyphens is none below several titles.
            inside = "outside" if self.layout == "stack" and "--ascii" in self.words else "inside"
            self.words += choose([[], [], ["--select", "1"], ["--header-position", inside], ["--header-position", "outside"]])
            if len(self.rows) > 1:
                self.words += choose([[], [], ["--footer", f"`{self.titles[-1]}`={{count()}} all"], ["--footer", "titles"]])
            # The edge of a frame of rules alone is like the rule below titles.
            if self.layout != "grid" or border != "rules":
                self.words += self.extras(choose([None, None, "--title", "--caption", "--section-by"]))
        elif self.form == "pandoc":
            # Of one column of pandoc's Stack nobody knows whether lines are rows.
            if len(self.titles) == 1:
                self.layout = "grid"
                self.words[0] = "--grid"
            self.words += choose([[], ["--row-spacing", "1"]])

    def extras(self, option):
        """What stands above the table, or above its sections, if the drawing says that it does."""
        if option == "--section-by" and len(self.titles) > 1:
            self.rows.sort(key=lambda row: row[0])
            if "--ascii" in self.words and self.layout == "grid":
                # A line between columns in a heading looks like one between two cells.
                for row in self.rows:
                    row[0] = row[0].replace("|", "/")
            return [option, f"`{self.titles[0]}`"]
        # A lone rule of hyphens below one title may be one below the title and what is above it.
        isOneRule = "--ascii" in self.words and (len(self.titles) == 1 or self.layout == "stack")
        # Over rules of hyphens a short one may be the first line of a title.
        isTold = "--ascii" not in self.words and len(self.titles) > 1 and self.layout == "list"
        above = self.choose([ABOVE, "Fruit", "2024"]) if isTold else ABOVE
        return [option, above] if option in ("--title", "--caption") and not isOneRule else []

    def text(self):
        return harness.csv_text([self.titles, *self.rows])


def question(tabler, rng):
    drawing = Drawing(rng)
    text = drawing.text()
    drawn = harness.run([tabler, "-q", *drawing.words], text)
    if drawn.status not in (0, 1):
        return f"{drawing.words}: status {drawn.status}\n{text}{drawn.errors}"
    again = harness.run([tabler, "--csv"], drawn.bytes)
    found = harness.csv_rows(again.output)
    if again.status == 0 and found == [drawing.titles] + drawing.rows:
        return None
    return f"{' '.join(map(repr, drawing.words))}\n{text}{drawn.output}read as\n{again.output}{again.errors}"


def main():
    options = harness.arguments(
        __doc__, ("--rounds", 1000, "how many tables"), ("--show", 8, "how many are shown that are read otherwise"))
    tabler, wrong = options.tabler, []
    for round in range(options.rounds):
        reason = question(tabler, random.Random(f"{options.seed} {round}"))
        if reason:
            wrong.append(f"round {round}: {reason}")
    for reason in wrong[: options.show]:
        print(reason + "\n")
    print(f"seed {options.seed}: {options.rounds} drawings, {len(wrong)} read otherwise")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
