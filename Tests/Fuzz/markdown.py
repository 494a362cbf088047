#!/usr/bin/env python3
"""Checks that four readers of GitHub's Markdown show random texts as they are: no link, emphasis, code or HTML.

    markdown.py --tabler PROGRAM [--rows N] [--seed TEXT]

Random titles, cells, headings and captions are written by `tabler --markdown` in every layout, and changes between two
tables by `--diff`; they are rendered by cmark-gfm, pandoc, markdown-it and mistune. Blanks and line breaks count as one blank. Needs Debian's cmark-gfm, pandoc, python3-markdown-it
and python3-mistune.

An e-mail address is a link to cmark-gfm however it is escaped, unless HTML divides it, which other readers show; such a
link must have the address as its text. The markdown-it of Debian 12 would make links of all addresses, escaped or not,
so it makes none here.
"""

import html
import json
import random
import re
import sys
import tempfile

import mistune
from markdown_it import MarkdownIt

import harness

PIECES = [
    "_", "__", "*", "**", "[", "]", "(", ")", "](", "][", "[x](y)", "![a](b)", "[^1]", "[^1]:", "^[n]", "[ ]", "[x]", "[x]:", " ",
    "http://a.bc", "https://x.de/a_b", "HTTP://A.BC", "www.a.bc", "WWW.a.b", "ftp://f.gh", "a@b.cd", "mailto:a@b.cd", "xmpp:u@h.de",
    "a", "b", "1", "é", "漢", "—", "$", "$$", "~", "~~", "<b>", "</b>", "<a@b.cd>", "<http://a.b>", "<!-- x -->", "&amp;", "&#65;", "&",
    "`", "``", "|", "\\", "\\|", "#", "# ", "x_y", "_x_", "a__b", ".", "-", "- ", "---", ":", "!", "\n", "snake_case_name", '"', "'",
    "{", "}", "^", "@", "@a", "=", "+", "1. ", "> ", ":smile:",
]


def text(source):
    return "".join(source.choice(PIECES) for _ in range(source.choice([1, 2, 3, 5, 8])))


def program(*words):
    def render(markdown):
        ended = harness.run(words, markdown)
        if ended.status != 0:
            raise SystemExit("%s: %s" % (words[0], ended.errors))
        return ended.output
    return render


RENDERERS = {
    "cmark-gfm": program("cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"),
    "pandoc": program("pandoc", "-f", "gfm", "-t", "html", "--wrap=none"),
    "markdown-it": MarkdownIt("commonmark").enable(["table", "strikethrough"]).render,
    "mistune": mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "url", "footnotes"]),
}


def shown(piece):
    """The text of a rendered cell; tags that are more than a line break stay in it."""
    piece = re.sub(r'<a href="[^"/]*@[^"]*">(.*?)</a>', r"\1", piece)
    tags = re.findall(r"<(?!br ?/?>)[a-zA-Z/!][^>]*>", piece)
    return plain(html.unescape(re.sub(r"<br ?/?>", " ", piece))), tags


def plain(value):
    return re.sub(r"\s+", " ", value).strip()


def is_lost(name, titles, want):
    """What mistune 2 misreads: a bar in a title, a bar at the end of a row, a backslash before a line break."""
    return name == "mistune" and ("|" in "".join(titles) or want.rstrip().endswith("|") or "\\\n" in want)


def check(tabler, layout, source, rows):
    """The places where a renderer shows random texts as something else."""
    titles = ["z" + text(source).replace("\n", " ") + "z%d" % number for number in range(3)]
    records = [[text(source) for _ in titles] for _ in range(rows)]
    data = "".join(json.dumps(dict(zip(titles, record)), ensure_ascii=False) + "\n" for record in records)
    # They are bold, which mistune 2 does not see if they have a star or end in a backslash.
    headings = [start + re.sub(r"[*\\]", "", text(source)) for start in "TC"]
    words = [tabler, "--from", "jsonl", "--markdown", "--" + layout, "-q", "--title", headings[0], "--caption", headings[1]]
    drawn = harness.run(words, data)
    if drawn.status != 0:
        raise SystemExit("tabler: " + drawn.errors)
    if layout == "detail":
        wanted = [part for record in records for pair in zip(titles, record) for part in pair]
    else:
        wanted = titles + [cell for record in records for cell in record]
    # The header of a card is empty; pandoc leaves it out.
    yield from misread(drawn.output, headings + wanted, titles, "td" if layout == "detail" else "t[hd]")


def check_changes(tabler, layout, source, rows):
    """The same of the changes between two tables: all rows but the first and the last have a cell changed."""
    titles = ["z" + text(source).replace("\n", " ") + "z%d" % number for number in range(2)]
    old = [[str(number), text(source), text(source)] for number in range(rows)]
    new = [[key, kept, "x" + text(source)] for key, kept, _ in old[1:]] + [[str(rows), text(source), text(source)]]
    lines = lambda table: "".join(json.dumps(dict(zip(["id"] + titles, record)), ensure_ascii=False) + "\n" for record in table)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write(lines(old))
        file.flush()
        drawn = harness.run([tabler, "--from", "jsonl", "--markdown", "--" + layout, "-q", "--diff", file.name, "--id", "id"], lines(new))
    if drawn.status != 1:
        raise SystemExit("tabler: %d %s" % (drawn.status, drawn.errors))
    changed = [["~", key, kept, before + " → " + after] if before != after else None
               for (key, kept, before), (_, _, after) in zip(old[1:], new)]
    records = [["- 1"] + old[0]] + [row for row in changed if row] + [["+ %d" % rows] + new[-1]]
    closing = "1 inserted, 1 deleted, %d updated (" % sum(row is not None for row in changed)
    if not plain(drawn.output).startswith("**" + closing):
        yield "tabler", closing, drawn.output.splitlines()[0]
    table = drawn.output[drawn.output.index("|"):]
    yield from misread(table, ["", "id"] + titles + [cell for record in records for cell in record], titles, "t[hd]")


def misread(drawn, wanted, titles, tag):
    """The places where a renderer shows something else: its name, the text, and what it made of it."""
    for name, render in RENDERERS.items():
        page = render(drawn)
        cells = re.findall(r"<p><strong>(.*?)</strong></p>", page, re.S)
        cells += re.findall(r"<%s\b[^>]*>(.*?)</%s>" % (tag, tag), page, re.S)
        if len(cells) != len(wanted) and not is_lost(name, titles, ""):
            yield name, "%d cells" % len(wanted), "%d cells" % len(cells)
            continue
        for cell, want in zip(cells, wanted):
            value, tags = shown(cell)
            if (tags or value != plain(want)) and not is_lost(name, titles, want):
                yield name, want, cell


def main():
    options = harness.arguments(__doc__, ("--rows", 600, "how many rows in each layout"), seed="markdown")
    failures = 0
    for layout in ("list", "stack", "grid", "detail"):
        for number in range(4):
            source = random.Random("%s %s %d" % (options.seed, layout, number))
            found = list(check(options.tabler, layout, source, options.rows // 4))
            if layout != "detail":
                found += check_changes(options.tabler, layout, source, options.rows // 8)
            for name, want, got in found:
                failures += 1
                if failures <= 20:
                    print("%s, --%s: %r is shown as %r" % (name, layout, want, got))
    print("%d texts in four layouts and as changes, %d shown wrongly by a renderer" % (12 * options.rows, failures))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
