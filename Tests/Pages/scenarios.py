#!/usr/bin/env python3
"""Uses the pages of `--interactive` in a browser, as people do: by pointer, and again by keys alone.

    scenarios.py --tabler BINARY [--browser chromium|firefox] [--tables N] [--seed N] [--only WORD] [--axe FILE] [--quick]

Each row of the table of what a page can do is a scenario; so are the order of random tables, which must be that of
`--sort`, hostile texts, and the times of large pages. A line a scenario; status 1 if one fails.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from browser import Browser
from firefox import Firefox

FRUIT = """id,name,weight,color
🍊,Orange,190,orange
🍌,Banana,118,
🥝,Kiwi,75,green
🍓,Strawberry,12,red
🍇,Grape,7,purple
🫐,Blueberry,2,blue
"""
ARABIC = "المدينة,السكان,التاريخ\nالقاهرة,9540000,1969-01-01\nالإسكندرية,5200000,331-04-07\nالجيزة,4367000,2020-05-06\n"
NULLS = ('{"key":"a","n":10,"mixed":"x","flag":true}\n{"key":"b","n":null,"mixed":3,"flag":null}\n'
         '{"key":"c","n":9,"mixed":null,"flag":false}\n{"key":"d","mixed":"3","flag":true}\n'
         '{"key":"e","n":100,"mixed":"","flag":false}\n{"key":"f","n":1.50,"mixed":"X","flag":true}\n')

# What is asked of a page: rows as the texts of their cells, without marks; the texts of titles; where an element is.
ASK = r"""
window.ask = {
  text(node) {
    const copy = node.cloneNode(true);
    for (const part of copy.querySelectorAll('.mark,.ind,.edge,.old,.hide:not([aria-hidden]+.hide)')) part.remove();
    for (const line of copy.querySelectorAll('br')) line.replaceWith('\n');
    return copy.textContent;
  },
  trs: () => [...document.querySelectorAll('.tabler tbody tr')].filter(tr => tr.checkVisibility()
    && !tr.matches('.sum,.gap tr') && !tr.querySelector('[scope=rowgroup],.note:first-child')),
  rows: () => ask.trs().map(tr => [...tr.cells].filter(cell => cell.checkVisibility()).map(ask.text)),
  titles: () => [...document.querySelectorAll('.tabler thead tr:last-child>*')],
  title: name => ask.titles().find(cell => ask.text(cell).trim() === name),
  cell: (row, column) => ask.trs()[row].cells[column],
  button: name => [...document.querySelectorAll('button,summary')].find(
    button => button.checkVisibility() && button.textContent === name),
  at(node) {
    node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2, left, top, left + width, top + height];
  },
  status: () => document.querySelector('output').textContent,
  // Until what was begun is shown. What waits for the end of an edit is not waited for.
  async rest() {
    do await new Promise(next => requestAnimationFrame(() => setTimeout(next))); while (ask.count && !editing);
  },
  count: 0,
  // Sorts by names of columns, each with whether it descends.
  async sort(keys) {
    const click = (name, shiftKey) =>
      ask.title(name).querySelector('button').dispatchEvent(new MouseEvent('click', { shiftKey }));
    do click('row', false); while (ask.title('row').ariaSort !== 'ascending');
    keys.forEach(([name, isDown], index) => {
      click(name, index > 0);
      if (isDown) click(name, index > 0);
    });
    await ask.rest();
  },
};
ask.refresh = refresh;
window.refresh = async (...given) => {
  ask.count += 1;
  try { return await ask.refresh(...given); } finally { ask.count -= 1; }
};
0
"""


class Page:
    """An opened page, and the hands that use it."""

    def __init__(self, browser, path):
        self.browser = browser
        browser.open(path)
        browser.evaluate(ASK)
        self.rest()

    def rest(self):
        """Lets what was begun be done."""
        self.browser.evaluate("window.ask?.rest()")

    def ask(self, script):
        return self.browser.evaluate(script)

    def rows(self):
        return self.ask("ask.rows()")

    def column(self, number):
        return [row[number] for row in self.rows()]

    def status(self):
        return self.ask("ask.status()")

    def at(self, script):
        return self.ask("ask.at(%s)" % script)

    def click(self, script, *modifiers, count=1):
        x, y = self.at(script)[:2]
        self.browser.click(x, y, *modifiers, count=count)
        self.rest()

    def press(self, *keys, times=1):
        """Presses the last of `keys` while the others are held."""
        self.hit(*keys, times=times)
        self.rest()

    def hit(self, *keys, times=1):
        """Presses keys, and does not wait for what the page does then."""
        for _ in range(times):
            self.browser.press(keys[-1], *keys[:-1])

    def type(self, text):
        self.browser.type(text)
        self.rest()

    def tab_to(self, test, what):
        """Presses Tab until the element with the focus passes a test."""
        for _ in range(80):
            if self.ask("(element => %s)(document.activeElement)" % test):
                return
            self.browser.press("Tab")
        raise AssertionError("Tab does not reach " + what)

    def tab_to_title(self, name):
        self.tab_to("element.closest('thead') && ask.text(element).trim() === %s" % json.dumps(name), "title " + name)

    def tab_to_button(self, name):
        self.tab_to("element.matches('button,summary') && element.textContent === %s" % json.dumps(name), name)

    def tab_to_cells(self):
        self.tab_to("element.matches('.tabler tbody td,.tabler tbody th')", "a cell")

    def press_title(self, way, name, *modifiers):
        if way == "pointer":
            self.click("ask.title(%s).querySelector('button')" % json.dumps(name), *modifiers)
        else:
            self.tab_to_title(name)
            self.press(*modifiers, "Enter")

    def press_button(self, way, name):
        if way == "pointer":
            self.click("ask.button(%s)" % json.dumps(name))
        else:
            self.tab_to_button(name)
            self.press("Enter")

    def go_to_row(self, way, row, column=0):
        """Brings the focus to a row of those shown, without selecting others by keys."""
        if way == "pointer":
            self.click("ask.cell(%d, %d)" % (row, column))
        else:
            self.tab_to_cells()
            self.hit("Home")
            self.hit("ArrowDown", times=row)
            self.hit("ArrowLeft", times=5)
            self.press("ArrowRight", times=column)

    def filter(self, way, text):
        if way == "pointer":
            self.click("document.querySelector('input[type=search]')", count=3)
            self.press("Backspace")
        else:
            self.hit("/")
            self.hit("Ctrl", "a")
            self.hit("Backspace")
        self.type(text)

    def clipboard(self, kind="text/plain"):
        return self.ask("navigator.clipboard.read().then(items => items[0].getType(%r)).then(blob => blob.text())" % kind)


class Maker:
    """Makes pages, and runs the program."""

    def __init__(self, binary, directory):
        self.binary, self.directory, self.count = binary, directory, 0

    def file(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    def run(self, words, status=(0,)):
        done = subprocess.run([self.binary] + words, capture_output=True, cwd=self.directory,
                              env={"PATH": os.environ["PATH"]})
        assert done.returncode in status, "%s: %d %s" % (words, done.returncode, done.stderr.decode())
        return done.stdout.decode()

    def page(self, words):
        text = self.run(words + ["--html", "--interactive"], status=(0, 1))
        self.count += 1
        return self.file("page%d.html" % self.count, text)

    def shell(self, command):
        """The output of a command as it stands in a page."""
        words = command.replace("tabler ", self.binary + " ").replace("| tabler", "| " + self.binary)
        done = subprocess.run(["sh", "-c", words], capture_output=True, cwd=self.directory, env={"PATH": os.environ["PATH"]})
        assert done.returncode in (0, 1), "%s: %s" % (command, done.stderr.decode())
        return done.stdout.decode()


def equal(found, wanted, what=""):
    if found != wanted:
        raise AssertionError("%s: %r, not %r" % (what, found, wanted))


# The scenarios: each takes a maker, a browser and a way, "pointer" or "keys".

def sort(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv", "--sort-rank"]))
    before = page.column(1)
    page.press_title(way, "weight")
    equal(page.column(2), ["2", "7", "12", "75", "118", "190"], "ascending")
    equal(page.ask("document.querySelector('.tabler').role"), "grid", "role")
    equal(page.ask("ask.title('weight').ariaSort"), "ascending", "aria-sort")
    equal(page.ask("ask.title('weight').querySelector('.ind').textContent.trim()"), "▲¹", "sign")
    assert "sorted by weight" in page.status(), page.status()
    page.press_title(way, "weight")
    equal(page.column(2), ["190", "118", "75", "12", "7", "2"], "descending")
    assert "descending" in page.status(), page.status()
    page.press_title(way, "weight")
    equal(page.column(1), before, "the order of the page")
    equal(page.ask("ask.title('weight').ariaSort"), None, "aria-sort")
    page.press_title(way, "color")
    equal(page.column(3), ["blue", "green", "orange", "purple", "red", ""], "texts, nulls last")
    page.press_title(way, "color")
    equal(page.column(3), ["red", "purple", "orange", "green", "blue", ""], "descending, nulls last")
    page.press_title(way, "name", "Shift")
    equal(page.ask("[ask.title('color'), ask.title('name')].map(cell => cell.querySelector('.ind').textContent.trim())"),
          ["▼¹", "▲²"], "ranks")
    assert "then name" in page.status(), page.status()


def sort_given(maker, browser, way):
    """Keys of --sort: their signs stand there, their flags are kept, and the footer has titles, too."""
    maker.file("sizes.csv", "name,size\nb,9K\na,10K\nc,1M\nd,2\n")
    page = Page(browser, maker.page(["sizes.csv", "--sort", "-size:size", "--footer", "titles",
                                     "--sort-indicator-neutral", "⇅"]))
    signs = "[...document.querySelectorAll('.ind')].map(sign => sign.textContent.trim())"
    equal(page.ask(signs), ["⇅", "▼", "⇅", "▼"], "signs")
    equal(page.column(1), ["1M", "10K", "9K", "2"])
    page.press_title(way, "size")
    equal(page.column(1), ["2", "9K", "10K", "1M"], "sizes")
    equal(page.ask(signs), ["⇅", "▲", "⇅", "▲"], "signs")
    if way == "pointer":
        page.click("document.querySelector('tfoot td button')")
        equal(page.column(0), ["a", "b", "c", "d"], "by a title in the foot")


def sort_sections(maker, browser, way):
    """Rows stay in their sections, and a note with its row."""
    page = Page(browser, maker.page(sections(maker) + ["--validate", "n > 20"]))
    page.press_title(way, "n")
    page.press_title(way, "n")
    found = page.ask("""[...document.querySelectorAll('.tabler tbody:not(.gap)')].map(body =>
      [body.rows[0].textContent, ask.trs().filter(tr => tr.parentElement === body).map(tr => +tr.cells[2].textContent)])""")
    for heading, numbers in found:
        equal(numbers, sorted(numbers, reverse=True), heading)
    equal(len(found), 6, "sections")
    equal(sum(len(numbers) for _, numbers in found), 300, "rows")
    notes = page.ask("""[...document.querySelectorAll('.note')].map(note =>
      +note.parentElement.previousElementSibling.cells[2].textContent)""")
    assert notes and max(notes) <= 20, notes


def sections(maker):
    """A file of 300 rows, and options for sections with footers and row names."""
    chance = random.Random(5)
    rows = ["%s,group %s,%d,item %d" % ("n%d" % i, "abcdef"[i // 50], chance.randrange(100), i) for i in range(300)]
    maker.file("rows.csv", "name,group,n,text\n" + "\n".join(rows) + "\n")
    return ["rows.csv", "--grid", "--section-by", "group", "--section-footer", "n={sum(n)}", "--row-names", "name",
            "--footer", "n={sum(n)}", "--zebra"]


def filtering(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv", "--footer", "weight={sum(weight)}", "--format", "weight={:.0f} g"]))
    cases = [("berry", ["Strawberry", "Blueberry"]), ("BERRY blue", ["Blueberry"]), ("color:RE", ["Kiwi", "Strawberry"]),
             ("-color:re -berry", ["Orange", "Banana", "Grape"]), ("weight>12", ["Orange", "Banana", "Kiwi"]),
             ("weight<=7", ["Grape", "Blueberry"]), ('name="Kiwi"', ["Kiwi"]), ('name="kiwi"', []), ("190 g", ["Orange"]),
             ("weight=75", ["Kiwi"]), ("an weight>=118 -color:o", ["Banana"]), ("no:column", [])]
    for text, names in cases:
        page.filter(way, text)
        equal(page.column(1), names, text)
        assert page.status().startswith("%d of 6 rows" % len(names)), page.status()
    page.filter(way, "berry")
    equal(page.ask("getComputedStyle(document.querySelector('tfoot td:nth-child(3)'), '::after').content"), '" (of all)"')
    page.press("Escape")
    equal(len(page.rows()), 6, "Esc")
    equal(page.ask("getComputedStyle(document.querySelector('tfoot td:nth-child(3)'), '::after').content"), "none")


def selecting(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv", "--select", "2"]))
    chosen = "ask.trs().flatMap((tr, index) => tr.ariaSelected === 'true' && tr.matches('.sel') ? [index] : [])"
    equal(page.ask(chosen), [1], "--select")
    equal(page.ask("ask.trs()[0].ariaSelected"), "false")
    if way == "pointer":
        page.click("ask.cell(0, 1)")
        equal(page.ask(chosen), [0], "click")
        page.click("ask.cell(3, 1)", "Ctrl")
        equal(page.ask(chosen), [0, 3], "Ctrl")
        page.click("ask.cell(5, 1)", "Shift")
        equal(page.ask(chosen), [3, 4, 5], "Shift")
        page.click("ask.cell(4, 1)", "Ctrl")
        equal(page.ask(chosen), [3, 5], "Ctrl again")
        assert page.status() == "2 rows selected", page.status()
        return
    page.tab_to_cells()
    page.press("Space")
    equal(page.ask(chosen), [0, 1], "Space")
    page.press("Escape")
    equal(page.ask(chosen), [], "Esc")
    page.press("ArrowDown", times=2)
    page.press("Space")
    page.press("Shift", "ArrowDown", times=2)
    equal(page.ask(chosen), [2, 3, 4], "Shift and an arrow")
    page.press("Escape")
    page.tab_to_button("Copy")
    page.press("Ctrl", "a")
    equal(page.ask(chosen), [0, 1, 2, 3, 4, 5], "Ctrl+A, wherever the focus is")
    assert page.status() == "6 rows selected", page.status()


def select_modes(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    chosen = "ask.trs().flatMap((tr, index) => tr.ariaSelected === 'true' ? [index] : [])"
    for mode, wanted in (("single", [1]), ("none", [])):
        page = Page(browser, maker.page(["fruit.csv", "--select-mode", mode]))
        page.go_to_row(way, 0)
        if way == "pointer":
            page.click("ask.cell(1, 0)", "Ctrl")
        else:
            page.press("Space")
            page.press("ArrowDown")
            page.press("Space")
            page.press("Ctrl", "a")
        equal(page.ask(chosen), wanted, mode)


def hovering(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv", "--hover"]))
    color = "getComputedStyle(ask.cell(2, 0)).backgroundColor"
    before = page.ask(color)
    if way == "pointer":
        x, y = page.at("ask.cell(2, 1)")[:2]
        browser.move(x, y)
    else:
        page.go_to_row(way, 2)
    page.rest()
    assert page.ask(color) != before, "no highlight"


def detail(maker, browser, way):
    maker.file("fruit.csv", FRUIT.replace("75", "-2"))
    page = Page(browser, maker.page(["fruit.csv", "--validate", 'weight: value > 0, "must be positive"',
                                     "--validate", 'color is not null, "needs a color"']))
    texts = "[...document.querySelectorAll('dialog[open] dt,dialog[open] dd')].map(part => part.textContent)"
    if way == "pointer":
        page.click("ask.cell(1, 1)", count=2)
    else:
        page.go_to_row(way, 1)
        page.press("Enter")
    equal(page.ask(texts), ["id", "🍌", "name", "Banana", "weight", "118", "color", ""], "card")
    assert "needs a color" in page.ask("document.querySelector('dialog').textContent"), "finding of the row"
    page.press_button(way, "Next")
    assert "must be positive" in page.ask(texts)[5], "finding of the cell"
    page.press_button(way, "Previous")
    equal(page.ask(texts)[3], "Banana", "previous")
    page.press("Escape")
    equal(page.ask("document.querySelector('dialog').open"), False, "Esc")
    equal(page.ask("document.activeElement.closest('tr') === ask.trs()[1]"), True, "the focus is on the row again")


def widths(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv"]))
    width = "ask.title('name').offsetWidth"
    before, color = page.ask("[%s, ask.title('color').offsetWidth]" % width)
    if way == "pointer":
        *_, right, _ = page.at("ask.title('name')")
        y = page.at("ask.title('name')")[1]
        browser.drag((right - 2, y), (right + 58, y))
    else:
        page.tab_to_title("name")
        page.press("Alt", "ArrowRight", times=4)
    page.rest()
    assert abs(page.ask(width) - before - (60 if way == "pointer" else 64)) <= 2, (before, page.ask(width))
    assert abs(page.ask("ask.title('color').offsetWidth") - color) <= 1, "the other columns"
    if way == "pointer":
        *_, right, _ = page.at("ask.title('name')")
        browser.drag((right - 2, y), (right - 100, y))
        browser.click(page.at("ask.title('name')")[4] - 2, y, count=2)
        page.rest()
        assert abs(page.ask(width) - before) <= 2, "the ideal width"
    else:
        page.press("Alt", "ArrowLeft", times=7)
        assert abs(page.ask(width) - before + 48) <= 2, (before, page.ask(width))


def hiding(maker, browser, way):
    page = Page(browser, maker.page(sections(maker)))
    page.press_button(way, "Columns")
    box = "[...document.querySelectorAll('details label')].find(label => label.textContent === 'text').firstChild"
    if way == "pointer":
        page.click(box)
    else:
        page.tab_to("element === " + box, "the box")
        page.press("Space")
    equal(page.rows()[0], ["n0", "group a", page.rows()[0][2]], "cells")
    equal(page.ask("ask.titles().filter(title => title.checkVisibility()).length"), 3, "titles")
    equal(page.ask("document.querySelector('tfoot tr').cells[3].checkVisibility()"), False, "the foot")
    page.filter(way, "item")
    equal(page.status().split(";")[0], "0 of 300 rows", "hidden cells are not searched")
    page.press("Escape")
    if way == "pointer":
        page.click(box)
    else:
        page.tab_to("element === " + box, "the box")
        page.press("Space")
    equal(len(page.rows()[0]), 4, "shown again")


def copying(maker, browser, way):
    maker.file("fruit.csv", FRUIT.replace("Kiwi", '"<b>a ""b""\n\tc"').replace("75", "=1+1"))
    page = Page(browser, maker.page(["fruit.csv", "--formula-guard"]))
    page.go_to_row(way, 2)
    if way == "keys":
        page.press("Space")
    page.press("Ctrl", "c")
    equal(page.clipboard(), "id\tname\tweight\tcolor\n🥝\t<b>a \"b\"\\n\\tc\t'=1+1\tgreen\n", "tsv")
    html = page.clipboard("text/html")
    assert "&lt;b&gt;" in html and "<td>" in html and "<b>" not in html, html
    assert "1 row copied" in page.status(), page.status()
    page.press("Escape")
    page.filter(way, "weight<15")
    page.press_button(way, "Copy")
    equal(page.clipboard(), "id\tname\tweight\tcolor\n🍓\tStrawberry\t12\tred\n🍇\tGrape\t7\tpurple\n🫐\tBlueberry\t2\tblue\n")
    if way == "pointer":
        page.filter(way, "")
        page.click("ask.cell(4, 1)")
        page.click("ask.cell(4, 1)", count=2)
        page.press("Escape")
        page.press("Ctrl", "c")
        equal(page.clipboard(), "id\tname\tweight\tcolor\n🍇\tGrape\t7\tpurple\n", "the row, not the word")
        page.press("Escape")
    page.filter(way, "green")
    page.press_button(way, "Save as csv")
    equal(browser.download("fruit.view.csv"), 'id,name,weight,color\n🥝,"<b>a ""b""\n\tc",\'=1+1,green\n', "csv")


def command(maker, browser, way):
    """The command in the page gives what the page shows."""
    maker.file("fruit.csv", FRUIT.replace("name,", "the name,"))
    page = Page(browser, maker.page(["fruit.csv", "--sort", "color", "--format", "weight={:.1f}"]))
    page.press_button(way, "Columns")
    box = "[...document.querySelectorAll('details label')].find(label => label.textContent === 'color').firstChild"
    page.click(box) if way == "pointer" else (page.tab_to("element === " + box, "the box"), page.press("Space"))
    page.press_title(way, "weight")
    page.press_title(way, "weight")
    for text in ("weight>7 -kiwi", "'an -\"the name\":Oran", 'weight<100 "the name">C', "-weight=12"):
        page.filter(way, text)
        page.press_button(way, "Command")
        page.press_button(way, "Copy command")
        page.press_button(way, "Command")
        text = page.clipboard()
        assert text.startswith("tabler fruit.csv") and "--sort -weight,color" in text and "--hide color" in text, text
        rows = [json.loads(line) for line in maker.shell(text + " --jsonl").splitlines()]
        equal([[row["id"], row["the name"]] for row in rows], [row[:2] for row in page.rows()], text)
    for name in ("id", "the name", "weight"):
        page.ask("[...document.querySelectorAll('details label')].find(label => label.textContent === %r).click()" % name)
    for text in ("kiwi", "-kiwi"):
        page.filter(way, text)
        count = len(maker.shell(page.ask("document.querySelector('details code').textContent") + " --jsonl").splitlines())
        assert page.status().startswith("%d of 6 rows" % count), (page.status(), count)
    # What follows the pipe reads the cells as the page does.
    maker.file("prices.csv", "price,code\n\"9,5\",9\n\"10,5\",10\n\"1,25\",100\n7,1\n")
    page = Page(browser, maker.page(["prices.csv", "--decimal", ",", "--types", "code:text", "--head", "3"]))
    for name in ("price", "code"):
        page.press_title(way, name)
        text = page.ask("document.querySelector('details code').textContent")
        equal([json.loads(line)["code"] for line in maker.shell(text + " --jsonl").splitlines()], page.column(1), text)
    page = Page(browser, maker.page(["prices.csv", "--decimal", ",", "--types", "code:text", "--group-by", "code"]))
    page.press_title(way, "count")
    maker.shell(page.ask("document.querySelector('details code').textContent"))
    # Lists have no order.
    maker.file("lists.jsonl", '{"key":"b","list":["x","y"]}\n{"key":"a","list":null}\n')
    page = Page(browser, maker.page(["lists.jsonl"]))
    equal(page.ask("ask.titles().map(cell => !!cell.querySelector('button'))"), [True, False], "buttons that sort")
    page.tab_to("element === ask.title('list')", "the title of a list")
    before = page.ask("ask.title('list').offsetWidth")
    page.press("Alt", "ArrowRight")
    equal(page.ask("ask.title('list').offsetWidth"), before + 16, "the width of a list")


def other_pages(maker, browser, way):
    """Sorting, filtering and selecting on a page from right to left, on JSON with nulls, and on rows that flow."""
    maker.file("arabic.csv", ARABIC)
    page = Page(browser, maker.page(["arabic.csv", "--lang", "ar", "--types", "التاريخ:date"]))
    equal(page.ask("getComputedStyle(document.body).direction"), "rtl", "the direction")
    page.press_title(way, "السكان")
    equal([row[1] for row in page.rows()], ["4367000", "5200000", "9540000"], "right to left")
    page.press_title(way, "التاريخ")
    page.filter(way, "القاهرة")
    equal(len(page.rows()), 1)
    maker.file("nulls.jsonl", NULLS)
    page = Page(browser, maker.page(["nulls.jsonl"]))
    page.press_title(way, "mixed")
    equal(page.column(0), ["b", "d", "e", "f", "a", "c"], "numbers, texts, nulls")
    page.press_title(way, "n")
    page.press_title(way, "n")
    equal(page.column(0), ["e", "a", "c", "f", "b", "d"], "nulls last")
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv", "--grid-items", "adaptive(30)"]))
    page.press_title(way, "weight")
    equal(page.column(2)[0], "2", "flowing rows")
    page = Page(browser, maker.page(["fruit.csv", "--no-header"]))
    page.filter(way, "name:kiwi")
    equal(len(page.rows()), 1, "without a header")


EDITABLE = ["fruit.csv", "--id", "id", "--editable", "name,weight,color"]


def moving(maker, browser, way):
    """Rows that --can-move refuses are fixed; where another order stands nothing moves; a move is undone."""
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(["fruit.csv", "--can-move", 'name != "Kiwi"']))
    names = lambda: page.column(1)
    before = names()
    if way == "pointer":
        def drag(row, target):
            x, y = page.at("ask.cell(%d, 0)" % row)[2], page.at("ask.cell(%d, 0)" % row)[1]
            browser.drag((x + 14, y), (x + 14, page.at("ask.cell(%d, 0)" % target)[1]))
            page.rest()
        drag(4, 0)
        equal(names(), ["Grape", "Orange", "Banana", "Kiwi", "Strawberry", "Blueberry"], "up")
        drag(1, 5)
        equal(names(), ["Grape", "Banana", "Kiwi", "Strawberry", "Blueberry", "Orange"], "down")
        drag(2, 0)
    else:
        page.go_to_row(way, 4)
        page.press("Alt", "ArrowUp", times=4)
        equal(names(), ["Grape", "Orange", "Banana", "Kiwi", "Strawberry", "Blueberry"], "up")
        equal(page.ask("document.activeElement.closest('tr') === ask.trs()[0]"), True, "the focus goes with the row")
        page.press("ArrowDown")
        page.press("Alt", "ArrowDown", times=5)
        equal(names(), ["Grape", "Banana", "Kiwi", "Strawberry", "Blueberry", "Orange"], "down")
        page.press("ArrowUp", times=3)
        page.press("Alt", "ArrowUp")
    equal(names(), ["Grape", "Banana", "Kiwi", "Strawberry", "Blueberry", "Orange"], "a row that is fixed")
    assert page.ask("ask.cell(0, 0).dataset.change").startswith("↕ \u20665→1"), page.ask("ask.cell(0, 0).dataset.change")
    line = save(page, way)
    equal([row[1] for row in applied(maker, browser, line, "fruit.csv")], names(), line)
    if way == "keys":
        page.go_to_row(way, 0)
    else:
        page.click("ask.cell(0, 1)")
    page.press("Ctrl", "z", times=9)
    equal(names(), before, "undone")
    page.press_title(way, "weight")
    page.go_to_row(way, 0)
    page.press("Alt", "ArrowDown")
    equal(page.column(2)[0], "2", "in another order")
    page = Page(browser, maker.page(["fruit.csv", "--filter", "weight > 5"]))
    assert "whole file" in page.ask("document.querySelector('.tools').textContent"), "why rows do not move"
    page = Page(browser, maker.page(["fruit.csv", "--group-by", "color"]))
    before = page.column(0)
    page.go_to_row(way, 0)
    page.press("Alt", "ArrowDown")
    equal(page.column(0), before, "a page that is not a file")
    assert page.status() == "this row cannot be moved", page.status()


def save(page, way):
    """Saves the changes, and gives the line that applies them."""
    page.press_button(way, "Save changes")
    line = page.ask("document.querySelector('dialog code').textContent")
    page.press("Escape")
    return line


def applied(maker, browser, line, name):
    """The rows of a copy of a file to which saved changes were applied."""
    text = browser.download(name.split(".")[0] + ".changes.jsonl")
    assert text, "no change list"
    maker.file(name.split(".")[0] + ".changes.jsonl", text)
    with open(os.path.join(maker.directory, name), encoding="utf-8", newline="") as file:
        before = file.read()
    assert line.endswith(" -i"), line
    maker.shell(line)
    rows = [[str(value if value is not None else "") for value in json.loads(row, parse_float=str, parse_int=str).values()]
            for row in maker.run([name, "--jsonl"]).splitlines()]
    with open(os.path.join(maker.directory, name), encoding="utf-8", newline="") as file:
        maker.saved = file.read()
    maker.file(name, before)
    return rows


def change(page, way, row, column, text, key="Enter"):
    """Types a text into a cell."""
    if way == "pointer":
        page.click("ask.cell(%d, %d)" % (row, column), count=2)
    else:
        page.go_to_row(way, row, column)
        page.press("F2")
    page.hit("Ctrl", "a")
    page.hit("Backspace")
    page.type(text)
    page.press(key)


def editing(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(EDITABLE + ["--can-edit", 'name != "Kiwi"', "--format", "weight={:.0f} g"]))
    change(page, way, 0, 2, "191")
    equal(page.rows()[0][2], "191", "a changed cell")
    equal(page.ask("ask.cell(0, 2).querySelector('del').textContent"), "190 g", "the old text")
    equal(page.ask("ask.cell(0, 0).dataset.change"), "~ ", "the mark of the row")
    change(page, way, 0, 2, "a lot")
    assert "takes numbers only" in page.status(), page.status()
    page.press("Escape")
    equal(page.rows()[0][2], "191", "Esc")
    change(page, way, 1, 3, "yellow, brown")
    page.go_to_row(way, 2, 1)
    page.press("F2")
    equal(page.ask("document.activeElement.matches('input')"), False, "a row that is fixed")
    change(page, way, 3, 3, "")
    equal(page.status(), "color is empty", "an emptied cell")
    change(page, way, 4, 1, "08", "Tab")
    equal(page.ask("document.activeElement.ariaLabel"), "weight", "Tab opens the next cell")
    page.press("Escape")
    if way == "keys":
        page.go_to_row(way, 5)
        page.press("Enter")
        page.tab_to("element.ariaLabel === 'color'", "the field")
    else:
        page.click("ask.cell(5, 0)", count=2)
        page.click("document.querySelector('dialog input[aria-label=color]')", count=3)
    page.press("Ctrl", "a")
    page.type("navy")
    page.press("Tab")
    page.press("Escape")
    equal(page.rows()[5][3], "navy", "in the dialog")
    page.press_button(way, "Save as csv")
    assert "🍓,Strawberry,12 g,\n" in browser.download("fruit.view.csv"), "an emptied cell"
    line = save(page, way)
    rows = applied(maker, browser, line, "fruit.csv")
    equal(rows, [["🍊", "Orange", "191", "orange"], ["🍌", "Banana", "118", "yellow, brown"], ["🥝", "Kiwi", "75", "green"],
                 ["🍓", "Strawberry", "12", ""], ["🍇", "08", "7", "purple"], ["🫐", "Blueberry", "2", "navy"]], line)
    page.go_to_row(way, 0)
    page.press("Ctrl", "z", times=9)
    equal(page.rows()[0][2], "190 g", "undone")
    equal(page.ask("document.querySelectorAll('ins,del').length"), 0, "undone")


def decimal_commas(maker, browser, way):
    """With --decimal , a number has a comma: 3.5 is a text, and what was typed is written as it was typed."""
    maker.file("prices.csv", 'id,price,code\na,"3,5",x\nb,"2,25",1.0\nc,,z\n')
    for more in ([], ["--types", "price:number"]):
        page = Page(browser, maker.page(["prices.csv", "--decimal", ",", "--id", "id", "--editable", "price,code"] + more))
        change(page, way, 0, 1, "3.5")
        assert "takes numbers only" in page.status(), page.status()
        page.press("Escape")
        equal(page.rows()[0][1], "3,5", "Esc")
        change(page, way, 0, 1, "10,75")
        equal(page.status(), "price is 10,75", "a number with a comma")
        change(page, way, 2, 1, "7")
        change(page, way, 2, 2, "3.5")
        page.press_title(way, "price")
        equal(page.column(1), ["2,25", "7", "10,75"], "sorted, with what was typed")
        page.press_button(way, "Undo")
        page.press("Ctrl", "z")
        change(page, way, 0, 2, "4.5")
        applied(maker, browser, save(page, way), "prices.csv")
        equal(maker.saved, 'id,price,code\na,"10,75",x\nb,"2,25",4.5\nc,,z\n', "the file")
    maker.file("sums.csv", 'id,sum\na,"1.234,5"\nb,"2,25"\n')
    page = Page(browser, maker.page(["sums.csv", "--decimal", ",", "--thousands", ".", "--id", "id", "--editable", "sum"]))
    change(page, way, 0, 1, "1.23")
    assert "takes numbers only" in page.status(), page.status()
    page.press("Escape")
    change(page, way, 1, 1, "12.345,5")
    page.press_title(way, "sum")
    equal(page.column(1), ["1.234,5", "12.345,5"], "sorted by numbers with groups")
    applied(maker, browser, save(page, way), "sums.csv")
    equal(maker.saved, 'id,sum\na,"1.234,5"\nb,"12.345,5"\n', "the file with groups")


def changed_keys(maker, browser, way):
    """Changed cells are ordered by their lower-cased texts and their lengths where --sort orders by these."""
    maker.file("words.csv", "id,name,word\na,beta,four\nb,οδοσ,12345\nc,x,y\nd,,\n")
    page = Page(browser, maker.page(["words.csv", "--id", "id", "--editable", "name,word",
                                     "--sort", "id,name:nocase,word:length"]))
    for row, name, word in ((2, "ΟΔΟΣ", "🥝🥝🥝"), (3, "Delta", "000000")):
        change(page, way, row, 1, name)
        change(page, way, row, 2, word)
    maker.file("words.csv", "id,name,word\n" + "".join("%s,%s,%s\n" % tuple(row) for row in page.rows()))
    for title, key in ("name", "name:nocase"), ("word", "word:length"):
        for sign in "", "-":
            page.press_title(way, title)
            wanted = [json.loads(line)["id"] for line in maker.run(["words.csv", "--sort", sign + key, "--jsonl"]).splitlines()]
            equal(page.column(0), wanted, sign + key)
            equal(page.status(), "sorted by " + title + (", descending" if sign else ""), key)


def adding(maker, browser, way):
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(EDITABLE + ["--can-delete", "weight < 100"]))
    page.press_button(way, "Save changes")
    equal(page.status(), "nothing was changed", "no changes")
    page.press_button(way, "Delete")
    equal(page.status(), "no row is selected", "the button without a selection")
    page.press_button(way, "Add row")
    page.press("Escape")
    equal(len(page.rows()), 6, "Esc takes the new row back")
    page.press_button(way, "Add row")
    page.press("Enter")
    page.press_button(way, "Save changes")
    equal(page.status(), "the new row needs id", "a row without an id")
    for text, message in (("🥝", "two rows have the same id"), ("🥭", "name is Mango")):
        page.press("F2")
        page.press("Ctrl", "a")
        page.type(text)
        page.press("Enter")
        if text == "🥝":
            page.press_button(way, "Save changes")
            equal(page.status(), message, text)
            equal(page.ask("document.querySelector('dialog').open"), False, message)
    change(page, way, 6, 1, "Mango")
    change(page, way, 6, 2, "200")
    assert page.ask("ask.cell(6, 0).dataset.change").startswith("+ 7"), "the mark of the row"
    page.filter(way, "strawberry")
    page.go_to_row(way, 0)
    if way == "keys":
        page.press("Space")
    page.filter(way, "banana")
    page.press_button(way, "Delete")
    equal(page.status(), "1 of 7 rows; the selected rows are not shown", "hidden rows are not deleted")
    page.filter(way, "")
    page.press_button(way, "Delete")
    assert page.ask("ask.cell(3, 0).dataset.change").startswith("- 4"), "the mark of the row"
    assert page.status() == "1 row deleted", page.status()
    page.go_to_row(way, 0)
    if way == "keys":
        page.press("Escape")
    page.press("Delete")
    equal(page.ask("ask.cell(0, 0).dataset.change"), "", "a row that is fixed")
    line = save(page, way)
    equal([row[1] for row in applied(maker, browser, line, "fruit.csv")],
          ["Orange", "Banana", "Kiwi", "Grape", "Blueberry", "Mango"], line)
    page.go_to_row(way, 0)
    page.press("Ctrl", "z", times=9)
    equal(page.column(1), ["Orange", "Banana", "Kiwi", "Strawberry", "Grape", "Blueberry"], "undone")
    equal(page.ask("ask.trs().map(tr => tr.cells[0].dataset.change).join('')"), "", "undone")


def saving(maker, browser, way):
    """Unsaved changes are asked about; an invalid value saves nothing, and the finding names the row."""
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(EDITABLE + ["--validate", 'weight: value > 0, "must be positive"']))
    change(page, way, 0, 2, "-5")
    browser.leave()
    page.rest()
    equal(set(browser.dialogs), {"beforeunload"}, "leaving with changes")
    page = Page(browser, maker.page(EDITABLE + ["--validate", 'weight: value > 0, "must be positive"']))
    change(page, way, 0, 2, "-5")
    line = save(page, way)
    maker.file("fruit.changes.jsonl", browser.download("fruit.changes.jsonl"))
    done = subprocess.run(["sh", "-c", line.replace("tabler ", maker.binary + " ", 1)], capture_output=True, cwd=maker.directory)
    equal(done.returncode, 1, "status")
    assert "must be positive" in done.stderr.decode(), done.stderr.decode()
    with open(os.path.join(maker.directory, "fruit.csv"), encoding="utf-8") as file:
        equal(file.read(), FRUIT, "the file")
    browser.leave()
    page.rest()
    equal(browser.dialogs, [], "leaving after saving")


def computed(maker, browser, way):
    """A computed column, and one that is shown twice, are no part of the changes."""
    maker.file("fruit.csv", FRUIT)
    page = Page(browser, maker.page(EDITABLE + ["--derive", "kg = weight / 1000", "-c", "id,name,weight,color,kg,color"]))
    page.press_button(way, "Add row")
    page.type("🥭")
    page.press("Enter")
    change(page, way, 0, 2, "191")
    page.go_to_row(way, 1)
    page.press("Delete")
    applied(maker, browser, save(page, way), "fruit.csv")
    equal(maker.saved, FRUIT.replace("190", "191").replace("🍌,Banana,118,\n", "") + "🥭,,,\n", "the file")


def hidden_ids(maker, browser, way):
    """Of ids with several columns some may be hidden; the marks of rows are those that the list and --diff give."""
    text = "k,a,b\n" + "".join("r%d,%d,x%d\n" % (row // 2, row % 2, row) for row in range(8))
    maker.file("ids.csv", text)
    for hidden in ([], ["k"], ["k", "a"]):
        words = ["ids.csv", "--id", "k,a", "--editable", "b"] + (["--hide", ",".join(hidden)] if hidden else [])
        page = Page(browser, maker.page(words))
        change(page, way, 2, 2 - len(hidden), "new")
        page.go_to_row(way, 0)
        if way == "pointer":
            page.press("Escape")
        page.press("Delete")
        page.press("ArrowDown", times=5)
        page.press("Alt", "ArrowUp", times=2)
        mark = page.ask("document.activeElement.closest('tr').cells[0].dataset.change").strip("\u2068\u2069 ")
        equal(mark.replace("\u2066", "").replace("\u2069", ""), "↕ 6→3", "the mark of a row")
        applied(maker, browser, save(page, way), "ids.csv")
        with open(os.path.join(maker.directory, "ids.changes.jsonl"), encoding="utf-8") as file:
            assert '"from":6,"to":3' in file.read(), "the same places in the list"
        rows = text.replace("x2", "new").splitlines(keepends=True)
        equal(maker.saved, "".join([rows[0], *rows[2:4], rows[6], *rows[4:6], *rows[7:]]), "the file, %s hidden" % hidden)


def five_pages(maker, browser, way):
    """All that a page can do, on each of five: a small one, sections, right to left, JSON with nulls, and 10,000 rows."""
    maker.file("fruit.csv", FRUIT)
    maker.file("arabic.csv", ARABIC)
    maker.file("nulls.jsonl", NULLS)
    pages = [(["fruit.csv"], "id", "weight", "kiwi"), (sections(maker), "name", "n", "n17"),
             (["arabic.csv", "--lang", "ar"], "المدينة", "السكان", "الجيزة"), (["nulls.jsonl"], "key", "n", "e"),
             ([big_file(maker, 10_000), "--grid"], "id", "weight", "4567")]
    for words, key, number, word in pages:
        page = Page(browser, maker.page(words + ["--hover", "--id", key, "--editable", number]))
        use_everything(maker, browser, way, page, words[0], key, number, word)


def use_everything(maker, browser, way, page, name, key, number, word):
    """Uses a page whose rows have a key in a column, and numbers in another, of a file in which one row has a word."""
    titles = page.ask("ask.titles().map(cell => ask.text(cell).trim())")
    keyed, numbered = titles.index(key), titles.index(number)
    total = page.ask("rows.length")
    everything = "rows.map(row => textOf(row.tr.cells[%d]))" % keyed
    read = [json.loads(line) for line in maker.run([name, "--jsonl"]).splitlines()]
    equal(page.ask(everything), [str(row[key]) for row in read], "rows")
    # Sorts, and restores the order of the page.
    page.press_title(way, number)
    equal(page.ask("ask.title(%s).ariaSort" % json.dumps(number)), "ascending", "sorted")
    if not page.ask("sections.length > 1"):
        ordered = [str(json.loads(line)[key]) for line in maker.run([name, "--sort", number, "--jsonl"]).splitlines()]
        equal(page.ask("shown.map(row => textOf(row.tr.cells[%d]))" % keyed), ordered, "the order of --sort")
    page.press_title(way, number)
    page.press_title(way, number)
    equal(page.ask("shown.map(row => textOf(row.tr.cells[%d]))" % keyed), page.ask(everything), "the order of the page")
    # Filters, and tells the command.
    page.filter(way, word)
    count = page.ask("shown.length")
    assert 0 < count < total and page.status().startswith("%s of " % format(count, ",")), page.status()
    command = page.ask("document.querySelector('details code').textContent")
    equal(len(maker.shell(command + " --jsonl").splitlines()), count, command)
    page.filter(way, "")
    # Hovers, selects and copies.
    page.go_to_row(way, 1)
    if way == "keys":
        page.press("Space")
    assert page.status().startswith("1 row selected"), page.status()
    equal(page.ask("ask.trs()[1].ariaSelected"), "true", "selected")
    page.press("Ctrl", "c")
    equal(page.clipboard().count("\n"), 2, "the copied row and its titles")
    page.press("Escape")
    # Opens the card of a row.
    page.press("Enter")
    equal(page.ask("document.querySelector('dialog').open"), True, "the card")
    page.press("Escape")
    # Makes a column wider, hides it, and shows it again.
    width = page.ask("ask.title(%s).offsetWidth" % json.dumps(number))
    page.tab_to_title(number)
    page.press("Alt", "ArrowRight")
    assert page.ask("ask.title(%s).offsetWidth" % json.dumps(number)) != width, "the width"
    box = "[...document.querySelectorAll('details label')].find(label => label.textContent === %s).firstChild" % json.dumps(key)
    for isShown in (False, True):
        page.ask(box + ".click()")
        page.rest()
        equal(page.ask("ask.title(%s)?.checkVisibility() ?? false" % json.dumps(key)), isShown, "a hidden column")
    # Changes a cell, deletes a row, moves one, adds one, takes all of it back, does it again and saves.
    for attempt in ("undone", "saved"):
        change(page, way, 0, numbered, "77")
        page.press("Escape")
        page.go_to_row(way, 2)
        page.press("Escape")
        page.press("Delete")
        page.go_to_row(way, 1)
        page.press("Escape")
        page.press("Alt", "ArrowUp")
        page.press_button(way, "Add row")
        page.type("99999")
        page.press("Enter")
        if attempt == "undone":
            page.press("Ctrl", "z", times=9)
            # The new row was at the end.
            page.ask("goTo(0)")
            page.rest()
            equal(page.ask(everything), [str(row[key]) for row in read], "undone")
    saved = applied(maker, browser, save(page, way), name)
    place = list(read[0]).index(key)
    keys = [str(row[key]) for row in read]
    equal([row[place] for row in saved], [keys[1], keys[0], *keys[3:], "99999"], "the file")
    equal(saved[1][list(read[0]).index(number)], "77", "the changed cell")


def many(maker, browser, way):
    """More rows than a call takes arguments are copied and printed."""
    if way == "keys":
        return "the same"
    maker.file("many.csv", "n\n" + "".join("%d\n" % number for number in range(140_000)))
    page = Page(browser, maker.page(["many.csv"]))
    page.press_button(way, "Copy")
    equal(page.status(), "140,000 rows copied")
    page.ask("draw(true)")
    equal(page.ask("document.querySelectorAll('.tabler tbody tr').length"), 140_000, "rows of a printed page")


def spans(maker, browser, way):
    """Titles over several columns are joined with those below: each column can be sorted and hidden."""
    maker.file("sales.csv", "city,year,n\na,2024,1\na,2025,2\nb,2024,4\nb,2025,3\n")
    page = Page(browser, maker.page(["sales.csv", "--group-by", "city", "--pivot", "year", "--aggregate", "s = sum(n), k = count()",
                                     "--span", "city=Place", "--grid"]))
    equal(page.ask("ask.titles().map(cell => ask.text(cell).trim())"),
          ["Place city", "2024 s", "2024 k", "2025 s", "2025 k"], "the titles")
    page.press_title(way, "2025 s")
    page.press_title(way, "2025 s")
    equal(page.column(0), ["b", "a"], "sorted")


def merged(maker, browser, way):
    """Cells over several rows are drawn in each of them, with values of their own."""
    maker.file("merged.csv", "city,kind,n\na,x,1.4\na,x,1.2\na,y,1.3\nb,y,1.1\nb,y,1.1\n")
    words = ["merged.csv", "--merge-repeats", "city,n", "--format", "n={round(n)}", "--grid", "--can-move", "n > 1.1"]
    page = Page(browser, maker.page(words))
    page.press_title(way, "n")
    equal(page.column(0), ["b", "b", "a", "a", "a"], "sorted by values that are not shown")
    equal(page.column(2), ["1"] * 5, "cells")
    page.filter(way, "n>1.2")
    equal(page.column(1), ["y", "x"], "filtered by them")


def large(maker, browser, way):
    """10,000 rows: those in the document follow the eye and the keys."""
    page = Page(browser, maker.page([big_file(maker, 10_000), "--grid"]))
    count = "document.querySelectorAll('.tabler tbody tr').length"
    assert page.ask(count) < 1000, page.ask(count)
    page.press_title(way, "id")
    page.press_title(way, "id")
    equal(page.column(0)[0], "9999")
    if way == "pointer":
        page.ask("document.querySelector('.region').scrollTop = 1e9")
        page.rest()
        page.rest()
        equal(page.column(0)[-1], "0", "the end")
        page.ask("document.querySelector('.region').scrollTop /= 2")
        page.rest()
        seen = page.ask("(() => { const {left, top, bottom} = document.querySelector('.region').getBoundingClientRect();"
                        " return document.elementFromPoint(left + 9, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2)"
                        ".textContent })()")
        assert 4000 < int(seen) < 6000, seen
    else:
        page.tab_to_cells()
        page.press("End")
        equal(page.ask("document.activeElement.textContent"), "0", "End")
        page.press("ArrowUp", times=3)
        equal(page.ask("document.activeElement.textContent"), "3", "up")
        page.press("Shift", "Home")
        equal(page.status(), "9,997 rows selected", "Shift+Home")
    page.filter(way, "id=4567")
    equal(page.column(0), ["4567"])


def scrolling(maker, browser, way):
    """1,000 rows: the focus and an edit stay with their row when others are scrolled into view."""
    page = Page(browser, maker.page([big_file(maker, 1000), "--grid", "--id", "id", "--editable", "name"]))

    def scroll(top):
        page.ask("document.querySelector('.region').scrollTop = %s" % top)
        page.rest()
        page.rest()

    focused = "document.activeElement.closest('tr')?.cells[0].textContent"
    gone = "rows.filter(row => row.isDeleted).map(row => row.place)"
    page.go_to_row(way, 3, 1)
    page.press("Escape")
    for top, seen in (("1e9", "999"), ("/2", None), ("0", "0")):
        scroll(top if top[0] != "/" else "document.querySelector('.region').scrollTop" + top)
        if seen:
            assert seen in page.column(0), "row %s is not drawn" % seen
        equal(page.ask(focused), "3", "the row with the focus, at " + top)
        equal(page.ask("ask.trs().filter(tr => tr.cells[0].textContent === '3').length"), 1, "the row is drawn once")
    scroll("1e9")
    page.press("Delete")
    equal(page.ask(gone), [3], "deleted far away")
    equal(page.ask(focused), "3", "the row with the focus, after a deletion")
    equal(page.column(0)[:5], ["0", "1", "2", "3", "4"], "the row is in view again")
    page.press("Ctrl", "z")
    scroll("1e9")
    page.press("ArrowDown")
    equal(page.ask(focused), "4", "an arrow goes on from the row")
    page.press("F2")
    page.press("Ctrl", "a")
    page.type("typed")
    scroll("1e9")
    page.type("!")
    scroll("1e9")
    page.press("Enter")
    equal(page.ask("textOf(cellOf(rows[4], columns[1]))"), "typed!", "an edit")
    equal(page.ask(focused), "4", "after the edit")
    if way == "pointer":
        scroll("1e9")
        page.click("ask.cell(ask.trs().length - 3, 1)")
        page.press("Escape")
        page.press("Delete")
        equal(page.ask(gone), [997], "the row that was clicked")


def big_file(maker, count):
    chance = random.Random(count)
    lines = ["%d,item %d,%d,%.2f,%s,2024-%02d-%02d,some words %d,%d" % (
        i, chance.randrange(count), chance.randrange(1000), chance.random() * 10_000, chance.choice(["red", "green", "blue"]),
        chance.randrange(1, 13), chance.randrange(1, 29), chance.randrange(99), chance.randrange(10 ** 9)) for i in range(count)]
    maker.file("big%d.csv" % count, "id,name,weight,price,color,day,note,count\n" + "\n".join(lines) + "\n")
    return "big%d.csv" % count


def times(maker, browser, way):
    """10,000 rows x 8: open 1 s, sort 0.15 s, filter 0.05 s a key; 100,000 rows: sort 2 s, and no long pause."""
    if way == "keys":
        return None
    said = []
    for count, limits in ((10_000, {"open": 1000, "sort": 150, "filter": 50}), (100_000, {"sort": 2000})):
        path = maker.page([big_file(maker, count), "--grid"])
        before = browser.busy()
        page = Page(browser, path)
        found = {"open": browser.busy() - before}
        page.ask("new Promise(next => setTimeout(next, %d))" % (count / 10))
        page.ask(WATCH)
        sorts = [busy(page, "ask.title(%r).querySelector('button').click()" % name, "sorted by " + name)
                 for name in ("count", "price", "day", "name", "weight")]
        filters = [busy(page, "ask.search(%r)" % text, "rows")
                   for text in ("r", "re", "red", "red weight>5", "red weight>50")]
        found.update({"sort": min(sorts), "largest sort": max(sorts), "filter": min(filters), "largest filter": max(filters),
                      "pause": page.ask("ask.pause")})
        said.append("%d rows: %s" % (count, ", ".join("%s %.0f ms" % part for part in found.items())))
        for name, limit in limits.items():
            assert found[name] <= limit, "%s takes %.0f ms; %s" % (name, found[name], said[-1])
    return "; ".join(said)


def busy(page, act, message):
    """How long a page is busy with something until it says a message."""
    page.ask("document.querySelector('output').textContent = ''")
    before = page.browser.busy()
    page.ask(act)
    end = time.time() + 60
    while message not in page.status():
        page.ask("new Promise(next => setTimeout(next, 100))")
        assert time.time() < end, message
    page.ask("new Promise(next => requestAnimationFrame(() => setTimeout(next, 100)))")
    return page.browser.busy() - before


# Finds the longest time in which a page does not answer, and searches as one who types.
WATCH = r"""
ask.pause = 0;
ask.last = performance.now();
setInterval(() => {
  const now = performance.now();
  ask.pause = Math.max(ask.pause, now - ask.last);
  ask.last = now;
}, 20);
ask.search = text => {
  const field = document.querySelector('input[type=search]');
  field.value = text;
  field.dispatchEvent(new Event('input'));
};
0
"""

WORDS = ["", "NA", "a", "B", "ab", "a b", "é", "e\u0301", "z", "\uff5e", "😀", "10", "9", "08", "1e3", "-0", "0", "-1", "+5", ".5",
         "5.", "1.50", "1.5", "9007199254740993", "9007199254740992", "9007199254740992.5", "123456789012345678901234567890",
         "-123456789012345678901234567891", "1e400", "2e400", "1e-400", "0.1000000000000000055511151231257827", "0.1", "0x1F", "true",
         "false", "Infinity", "NaN", "1_000", " 7 ", "\t8", "2024-01-02", "2024-01-02T03:04:05Z", "7e-1", "1E2", "100", "٣", ".", "-"]
SIZES = ["1K", "1.5G", "900", "512Mi", "1.2 MB", "45%", "7", "", "2k", "1Gi", "x", "10M", "9M", "1B"]
DATES = ["2024-01-02", "2024-01-02T03:04:05Z", "2023-12-31 23:00", "", "1969-12-31", "2024-01-02T01:00:00+02:00", "never", "0001-01-01"]
NAMES = ["node-10", "node-9", "v1.10.2", "v1.9", "1.0-rc1", "1.0", "1.0~b", "a1b2", "A1b10", "", "007", "ß", "Ä", "ä"]


def order(maker, browser, way, tables, seed):
    """The order of random tables is that of --sort."""
    chance = random.Random(seed)
    for table in range(tables):
        count, is_json = chance.randrange(5, 60), chance.random() < 0.4
        kinds = [chance.choice(["any", "number", "few", "size", "date", "name"]) for _ in range(4)]
        pools = {"any": WORDS, "size": SIZES, "date": DATES, "name": NAMES, "few": ["1", "2", "b", ""],
                 "number": ["%d" % chance.randrange(100), "%.3f" % chance.random(), str(chance.randrange(10 ** 20)), ""]}
        rows = [[chance.choice(pools[kind]) for kind in kinds] for _ in range(count)]
        flags = [{"size": ":size", "date": ":date", "name": chance.choice([":natural", ":version", ":nocase", ":text", ":length"])
                  }.get(kind, chance.choice(["", "", ":text", ":number"])) + chance.choice(["", "", "", ":first"])
                 for kind in kinds]
        path = "table%d.%s" % (table, "jsonl" if is_json else "csv")
        if is_json:
            lines = [json.dumps(dict(row=number, **{"abcd"[i]: json_of(cell, chance) for i, cell in enumerate(row)
                                                    if chance.random() < 0.9}), ensure_ascii=False)
                     for number, row in enumerate(rows)]
            maker.file(path, "".join(line + "\n" for line in lines))
        else:
            maker.file(path, "row,a,b,c,d\n" + "".join("%d,%s\n" % (number, ",".join(row)) for number, row in enumerate(rows)))
        given = ",".join("abcd"[i] + flag for i, flag in enumerate(flags))
        orders = ["--order", "c=b,2"] if chance.random() < 0.3 else []
        page = Page(browser, maker.page([path, "--columns", "row,a,b,c,d", "--sort", "row," + given] + orders))
        for keys in chance.sample(range(4), 1), chance.sample(range(4), 2), chance.sample(range(4), 3):
            keys = [(column, chance.random() < 0.5) for column in keys]
            page.ask("ask.sort(%s)" % json.dumps([["abcd"[column], is_descending] for column, is_descending in keys]))
            found = page.ask("ask.trs().map(tr => ask.text(tr.cells[0]))")
            wanted = [("-" if is_descending else "") + "abcd"[column] + flags[column] for column, is_descending in keys]
            lines = maker.run([path, "--sort", ",".join(wanted), "--jsonl"] + orders).splitlines()
            rows_wanted = [str(json.loads(line)["row"]) for line in lines]
            if found != rows_wanted:
                show = {str(number): row for number, row in enumerate(rows)}
                first = next(i for i, (a, b) in enumerate(zip(found, rows_wanted)) if a != b)
                raise AssertionError("%s by %s: row %d is %s, not %s" % (path, wanted, first, show[found[first]],
                                                                         show[rows_wanted[first]]))
    return "%d tables" % tables


def json_of(cell, chance):
    """A csv cell as some JSON value."""
    try:
        value = json.loads(cell)
        if isinstance(value, (int, float)) and str(value) == cell and chance.random() < 0.7 and cell not in ("NaN", "Infinity"):
            return value
    except ValueError:
        pass
    return chance.choice([None, True, cell, cell]) if chance.random() < 0.2 else cell


HOSTILE = ["<script>window.hit = 1</script>", "\"><img src=x onerror=window.hit=1>", "</script><script>window.hit=1</script>",
           "' onmouseover='window.hit=1", "javascript:window.hit=1", "<!--", "]]>", "&lt;b&gt;", "\\u003cscript\\u003e", "{{7*7}}",
           "=HYPERLINK(\"http://example.org\",\"x\")", "a\u202eb", "x:y\"z<w>", "`'; rm -rf $(id) #", "-- | & ;"]


def hostile(maker, browser, way):
    """Texts that mean to run, in cells, names, the title, the name of the file and the field."""
    def csv(cell):
        return '"%s"' % cell.replace('"', '""')
    names = HOSTILE[:4]
    rows = [[HOSTILE[(i + j) % len(HOSTILE)] for j in range(4)] for i in range(len(HOSTILE))]
    name = "<img src=x onerror=window.hit=1>'\"&.csv"
    maker.file(name, ",".join(map(csv, names)) + "\n" + "".join(",".join(map(csv, row)) + "\n" for row in rows))
    page = Page(browser, maker.page([name, "--title", HOSTILE[0] + HOSTILE[2], "--caption", HOSTILE[1], "--formula-guard"]))
    for text in HOSTILE:
        page.filter(way, text[:30])
    page.filter(way, "")
    page.press_button(way, "Command")
    page.press_button(way, "Copy command")
    page.press_title(way, names[0])
    page.go_to_row(way, 1)
    page.press("Ctrl", "c")
    assert "<script>" not in page.clipboard("text/html"), "html on the clipboard"
    page.press("Enter")
    page.press_button(way, "Next")
    page.press("Escape")
    page.press_button(way, "Save as csv")
    equal(page.ask("window.hit"), None, "a script ran")
    requests = [url for url in browser.requests if not url.startswith(("file:///", "blob:"))]
    equal(requests, [], "requests")
    if "hostile" not in browser.left_out:
        equal(len([url for url in browser.requests if url.startswith("file:")]), 1, "files")
    equal(browser.errors, [], "errors")


def hostile_edits(maker, browser, way):
    """The same texts, typed into cells, a new row and its card, copied, saved and applied."""
    maker.file("hostile.csv", "id,a,b\n" + "".join("n%d,x,y\n" % number for number in range(len(HOSTILE))))
    page = Page(browser, maker.page(["hostile.csv", "--id", "id", "--editable", "a,b", "--formula-guard"]))
    for number, text in enumerate(HOSTILE):
        change(page, way, number, 1 + number % 2, text)
    page.press_button(way, "Add row")
    page.type(HOSTILE[0])
    page.press("Enter")
    page.press("Enter")
    page.tab_to("element.matches('dialog input')", "a field of the card")
    page.press("Ctrl", "a")
    page.type(HOSTILE[1])
    page.press("Tab")
    page.press("Escape")
    page.go_to_row(way, 0)
    page.press("Escape")
    page.press("Ctrl", "c")
    html = page.clipboard("text/html")
    assert "&lt;script" in html and "<script" not in html and "<img" not in html, html
    guarded = [line for line in page.clipboard().split("\n") if "HYPERLINK" in line]
    assert guarded and all("\t'=" in line for line in guarded), guarded
    page.press_button(way, "Save as csv")
    assert ",'=HYPERLINK" in browser.download("hostile.view.csv").replace('"', ""), "a guard in csv"
    shown = page.rows()
    line = save(page, way)
    rows = applied(maker, browser, line, "hostile.csv")
    equal(rows, shown, line)
    equal([row[1 + number % 2] for number, row in enumerate(rows[:-1])], HOSTILE, "what was typed")
    equal(page.ask("window.hit"), None, "a script ran")
    equal([url for url in browser.requests if not url.startswith(("file:///", "blob:"))], [], "requests")
    equal(browser.errors, [], "errors")


def round_trip(maker, browser, way):
    """Changes by chance, saved and applied: the file is what the page shows, untouched rows keep their bytes."""
    lines = []
    for seed in range(3):
        chance = random.Random(seed + (100 if way == "keys" else 0))
        end, is_json = chance.choice(["\n", "\r\n"]), seed == 2
        texts = ["1", "1.50", "007", "-3", "a b", "", "x,y", 'say ""hi""', "true", "null", "🍇", "=1", "two\nlines", "1e3", " 7 "]
        rows = [["r%d" % i] + [chance.choice(texts) for _ in range(3)] for i in range(12)]
        if is_json:
            name, end = "trip.jsonl", "\n"
            raws = [json.dumps(dict(zip("kabc", [row[0]] + [json_of(cell.replace('""', '"'), chance) for cell in row[1:]])),
                               ensure_ascii=False) for row in rows]
            maker.file(name, "".join(raw + end for raw in raws))
        else:
            name = "trip.csv"
            raws = [",".join('"%s"' % cell if set(cell) & set(',"\n') or chance.random() < 0.3 and cell else cell for cell in row)
                    for row in rows]
            maker.file(name, "k,a,b,c" + end + "".join(raw + end for raw in raws))
        page = Page(browser, maker.page([name, "--id", "k", "--editable", "a,b,c", "--grid"]))
        touched = set()
        for step in range(10):
            count = len(page.rows())
            row, action = chance.randrange(count), chance.choice(["edit", "edit", "edit", "move", "delete", "add", "undo"])
            key = page.rows()[row][0]
            page.go_to_row(way, row)
            if way == "pointer":
                page.press("Escape")
            if action == "edit":
                page.press("ArrowRight", times=chance.randrange(1, 4))
                page.press("F2")
                page.press("Ctrl", "a")
                page.press("Backspace")
                page.type(chance.choice(["12", "0.50", "b", "08", "", "x, y", "true", '"', "né"]))
                page.press("Enter")
                page.press("Escape")
                touched.add(key)
            elif action == "move":
                page.press("Alt", chance.choice(["ArrowUp", "ArrowDown"]), times=chance.randrange(1, 5))
            elif action == "delete":
                page.press("Delete")
            elif action == "add":
                page.press_button(way, "Add row")
                page.type("new%d" % step)
                page.press("Enter")
            elif action == "undo":
                page.press("Ctrl", "z")
        wanted = page.ask("ask.trs().filter(tr => !tr.matches('.gone')).map(tr => [...tr.cells].map(cell => "
                          "cell.matches('.null:not([data-v]),[data-v=null]') ? '' : ask.text(cell)))")
        line = save(page, way)
        found = [[cell_text(cell) for cell in row] for row in applied(maker, browser, line, name)]
        equal(found, wanted, "seed %d: %s" % (seed, line))
        for row, raw in zip(rows, raws):
            if row[0] not in touched and any(row[0] == cells[0] for cells in wanted):
                assert (raw.replace(": ", ":").replace(", \"", ",\"") if is_json else raw) in maker.saved, (raw, maker.saved)
        lines.append(str(len(wanted)))
    return "%s rows" % ", ".join(lines)


def cell_text(cell):
    """What a page shows of a value that was read from JSON."""
    return {"True": "true", "False": "false"}.get(cell, cell)


def without_script(maker, browser, way):
    """Where no script runs the page is the one without the option, pixel by pixel; printed it is as shown."""
    if way == "keys":
        return "the same"
    words = sections(maker)
    # Printed as it is shown, where titles over several columns are joined with those below, and cells over several rows
    # are in each of them.
    for more in ([], ["--select", "2", "--sort", "-n", "--sort-rank", "--title", "Rows"], ["--span", "group,n=Both"],
                 ["--merge-repeats", "group,n", "--format", "n={round(n / 30)}"]):
        plain = maker.file("plain.html", maker.run(words + more + ["--html"]))
        scripted = maker.page(words + more)
        with open(scripted, encoding="utf-8") as file:
            stricter = maker.file("stricter.html", re.sub("; script-src '[^']*'", "", file.read()))
        pictures = []
        for path, is_blocked, media in ((plain, False, "screen"), (scripted, True, "screen"), (plain, False, "print"),
                                        (scripted, False, "print"), (stricter, False, "screen")):
            browser.allow_scripts(not is_blocked)
            browser.show(media=media)
            browser.open(path)
            time.sleep(0.3)
            pictures.append(browser.picture())
        browser.allow_scripts(True)
        browser.show()
        assert pictures[0] == pictures[1], "without script"
        assert pictures[2] == pictures[3] or {"--span", "--merge-repeats"} & {*more}, "printed"
        assert pictures[0] == pictures[4], "with a stricter policy"
        assert any("script-src" in error or "default-src" in error for error in browser.errors), browser.errors
        browser.errors.clear()


def accessible(maker, browser, way, axe):
    """axe finds nothing in any state, light and dark."""
    with open(axe, encoding="utf-8") as file:
        script = file.read()
    found = []

    def look(page, state):
        # In the dark only the colors differ.
        for scheme, rules in (("light", ""), ("dark", ", runOnly: ['color-contrast']")):
            browser.show(scheme=scheme)
            result = page.ask("axe.run(document, {resultTypes: ['violations']%s}).then(result => result.violations.map(%s))" % (
                rules, "rule => rule.id + ': ' + rule.nodes.map(node => node.target + ' ' + (node.any[0]?.message ?? '')).join(', ')"))
            found.extend("%s, %s: %s" % (state, scheme, line) for line in result)

    maker.file("fruit.csv", FRUIT.replace("75", "-2"))
    page = Page(browser, maker.page(EDITABLE + [
        "--validate", 'weight: value > 0, "must be positive"', "--validate", 'color is not null, "needs a color"',
        "--title", "Fruit", "--select", "1", "--zebra", "--hover", "--can-move", "weight > 10", "--lang", "en"]))
    page.ask(script + ";1")
    look(page, "at first")
    page.press_title(way, "weight")
    look(page, "sorted")
    page.filter(way, "an")
    look(page, "filtered")
    page.filter(way, "nothing")
    look(page, "no rows")
    page.press("Escape")
    page.press_button(way, "Columns")
    page.press_button(way, "Command")
    look(page, "menus")
    page.go_to_row(way, 1)
    page.press("Enter")
    look(page, "card")
    page.press("Escape")
    page.press_title(way, "weight")
    page.press_title(way, "weight")
    change(page, way, 0, 2, "12")
    page.go_to_row(way, 1)
    page.press("Alt", "ArrowUp")
    page.go_to_row(way, 3)
    page.press("Escape")
    page.press("Delete")
    page.go_to_row(way, 0, 1)
    page.press("F2")
    look(page, "changed and edited")
    page.press("Escape")
    page.press_button(way, "Save changes")
    look(page, "saved")
    browser.download("fruit.changes.jsonl")
    page = Page(browser, maker.page(sections(maker) + ["--lang", "en", "--title", "Rows"]))
    page.ask(script + ";1")
    look(page, "sections")
    page = Page(browser, maker.page([big_file(maker, 1000), "--grid", "--lang", "en", "--title", "Rows"]))
    page.ask(script + ";1")
    page.ask("document.querySelector('.region').scrollTop = 9999")
    page.rest()
    look(page, "many rows")
    browser.show()
    assert not found, "\n".join(found)


SCENARIOS = [sort, sort_given, sort_sections, filtering, selecting, select_modes, hovering, detail, widths, hiding, copying,
             command, other_pages, moving, editing, decimal_commas, changed_keys, adding, saving, computed, round_trip, large,
             many, scrolling, hidden_ids, spans, merged, hostile, hostile_edits, without_script]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tabler", required=True, help="the program, which writes the pages")
    parser.add_argument("--browser", choices=["chromium", "firefox"], default="chromium")
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--axe", help="the file axe.min.js")
    parser.add_argument("--quick", action="store_true", help="without the times of large pages, and axe only where keys lead")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        maker = Maker(os.path.abspath(options.tabler), scratch)
        browser = {"chromium": Browser, "firefox": Firefox}[options.browser](os.path.join(scratch, "profile"))
        browser.show()
        jobs = [(scenario.__name__, way, lambda way, scenario=scenario: scenario(maker, browser, way))
                for scenario in SCENARIOS for way in ("pointer", "keys")]
        jobs.append(("order", "keys", lambda way: order(maker, browser, way, options.tables, options.seed)))
        if options.axe:
            jobs += [("accessible", way, lambda way: accessible(maker, browser, way, options.axe))
                     for way in ("keys", "pointer")[:1 if options.quick else 2]]
        if not options.quick:
            jobs += [("five_pages", way, lambda way: five_pages(maker, browser, way)) for way in ("pointer", "keys")]
            jobs.append(("times", "pointer", lambda way: times(maker, browser, way)))
        try:
            for name, way, job in jobs:
                if options.only not in name + " " + way:
                    continue
                try:
                    said = [job(way), name in browser.left_out and "left out: " + browser.left_out[name]]
                    if browser.errors:
                        raise AssertionError("the browser said: %s" % browser.errors)
                    print("ok      %-14s %-8s %s" % (name, way, "; ".join(filter(None, said))), flush=True)
                except AssertionError as failure:
                    failures += 1
                    print("FAILED  %-14s %-8s %s" % (name, way, failure), flush=True)
        finally:
            browser.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
