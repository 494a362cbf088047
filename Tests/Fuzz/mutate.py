#!/usr/bin/env python3
"""Shows that the table of expressions notices every part of the language that is taken out.

    Tests/Fuzz/mutate.py [--scratch FOLDER] [--list] [--only TEXT] [--jobs N]

The sources are copied. In the copy each body is put under a condition: with `MUTANT=N` in the environment body N is
taken out, so that it gives null, is not recognised, binds as its neighbour does, or says nothing. The copy is compiled
once, together with the table's reader (`ExpressionRows.swift`), and the table is run once for each N. A mutant that no
row notices is printed; the status is then 1.

What is taken out:
  function     the body of each function and aggregate, and each of its other names
  add          each step of an aggregate: taking in a row, merging with what another thread saw
  case         each pattern of each `case`: operators, pairs of types, conversions, comparisons
  body         each function of the evaluator that yields a value, a truth, a number or a text
  symbol       each mark and word that the parser passes
  precedence   each pair of neighbouring ranks changes places; each operator goes to the rank beside its own
  message      each place that refuses a program, and the words of each message
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPRESSIONS = "TablerEngine/Expressions/"
TABLE = ROOT / "Tests/TablerCommandTests/expressions.txt"
READER = ROOT / "Tests/TablerCommandTests/ExpressionRows.swift"
MAIN = ROOT / "Tests/Fuzz/ExpressionMutants/Main.swift"
NOTHING = 'ExpressionError(option: "", source: "", range: 0..<0, kind: .empty)'

# Mutants that change nothing that can be seen: file, beginning of the description, reason.
QUICK = "the quick way; the general one gives the same"
REFUSED = "the binder refuses it, or it cannot be read; the compiler wants the case"
UNNAMED = "no error names this kind; the compiler wants the case"
LONG = "only beyond the longest text that an expression may make, which would be too much for a table"
ELSEWHERE = "needs a system without time zones: DateRuleTests"
OPTIONS = "what --set, --add and --validate say, which the table does not have: SetTests, AddTests, ValidateTests"
EQUIVALENT = [
    *[("Messages+Expression.swift", f"words: case .{kind}", OPTIONS)
      for kind in ("nothingToSet(", "constantOfOtherType(", "recordNeedsColumn", "notConstant(", "messageNotText", "columnTwice(")],
    ("Expression.swift", "error .unknownColumn(", OPTIONS), ("Binder+References.swift", "isField: case .", OPTIONS),
    ("Parser.swift", "isBinary: case .dot", "who asks names the dot too"),
    ("GroupAggregator.swift", "isFixed -> Bool", QUICK),
    ("Evaluator.swift", "number: case .constant(", QUICK), ("Evaluator.swift", "number: case .argument(", QUICK),
    ("Evaluator.swift", "number: case .cell(", QUICK), ("Evaluator.swift", "number: case .call(", QUICK),
    ("Evaluator.swift", "number: case .test", REFUSED), ("Evaluator.swift", "number: case .null", QUICK),
    ("Evaluator.swift", "arithmetic: case .join", REFUSED), ("Evaluator.swift", "container: case .missing", REFUSED),
    ("Evaluator.swift", "container: case .empty", REFUSED), ("Evaluator+Truth.swift", "truth: case .constant(", QUICK),
    ("Evaluator+Truth.swift", "truth: case .call(", QUICK), ("Evaluator+Truth.swift", "truth: case .count", REFUSED),
    ("Evaluator+Truth.swift", "truth: case .number", REFUSED), ("Evaluator+Truth.swift", "truth: case .real", REFUSED),
    ("Evaluator+Truth.swift", "truth: case .part", REFUSED), ("Evaluator+Truth.swift", "compareByLook: case (.null, _)", QUICK),
    ("Evaluator+Truth.swift", "compareByLook: case (_, .null)", QUICK), ("Evaluator+Times.swift", "time: case .constant(", QUICK),
    ("Evaluator+Times.swift", "time: case .cell(", QUICK), ("Binder+Comparisons.swift", "test: case .bool(", REFUSED),
    ("Binder+References.swift", "recordMember: case nil", REFUSED),
    ("Binder+References.swift", "unknownColumn: case .noPosition(", REFUSED),
    ("Binder+References.swift", "error .unknownPosition(position, count: count)", REFUSED),
    ("Binder+References.swift", "knownStep: case .text(", QUICK), ("Binder.swift", "bind: case .list", REFUSED),
    ("Binder.swift", "isLiteral: case .null", REFUSED), ("Selection.swift", "keep: case .text(let column, .equal", QUICK),
    ("Selection.swift", "keep: case .text(let column, .notEqual", QUICK),
    ("Messages+Expression.swift", "words: case .noZones(", ELSEWHERE), ("DateFunctions.swift", "zone: case .noZones(", ELSEWHERE),
    ("DateFunctions.swift", "error .noZones(", ELSEWHERE),
    *[("Messages+Expression.swift", f"plural: case .{kind}", UNNAMED)
      for kind in ("list", "pattern", "size", "object", "null", "comparedText")],
    *[("Messages+Expression.swift", f"singular: case .{kind}", UNNAMED)
      for kind in ("null", "wholeNumber", "object", "list", "container", "pattern", "size", "comparedText")],
    ("Number.swift", "compare: case (.int", QUICK), ("Number.swift", "compare: case (.double(let left), .double", QUICK),
    ("Node.swift", "valueKind: case .any", UNNAMED), ("Node.swift", "valueKind: case .null", UNNAMED),
    ("Node.swift", "valueKind: case .list", UNNAMED), ("Template.swift", "render: case .cell", REFUSED),
    ("AggregateFunctions.swift", "text: case .", LONG), ("AggregateFunctions.swift", "text -> [UInt8]?", LONG),
    ("AggregateFunctions.swift", "Last.hold", "a batch ends only in a run; GroupTests"),
    ("AggregateFunctions.swift", "Joined.giveUp", LONG), ("ListFunctions.swift", "isFull -> Bool", LONG),
]

# What stands for the value of a function that has no null.
NULLS = {
    "Value": ".null", "Bool": "false", "Int": "0", "String": '""', "Self": ".double(.nan)", "Number": ".double(.nan)",
    "StaticKind": ".null", "[UInt8]": "[]", "[Value]": "[]",
}
# What a `switch` without `default` does where its case is taken out, for functions that yield nothing.
DEFAULTS = {
    ("Selection.swift", "keep"): "rows = []",
    ("NumberTerm.swift", "compute"): "for place in start..<start &+ rows.count { scales[place] = Self.null }",
}


class Mutants:
    """The list of mutants; a number is the place in it, from 1 on."""

    def __init__(self):
        self.all = []

    def add(self, kind, file, line, what):
        self.all.append((kind, file, line, what))
        return len(self.all)


def masked(text):
    """The text with the contents of strings and comments blanked, in the same length."""
    out = list(text)
    index = 0

    def blank(start, end):
        for place in range(start, end):
            if out[place] != "\n":
                out[place] = "_"

    def string_end(start):
        """The end of the string that begins at start, with interpolations."""
        hashes = re.match(r"#*", text[start:]).group()
        quote = '"""' if text.startswith('"""', start + len(hashes)) else '"'
        place = start + len(hashes) + len(quote)
        while place < len(text):
            if text.startswith(quote + hashes, place):
                return place + len(quote) + len(hashes)
            if text.startswith("\\" + hashes, place):
                place += 1 + len(hashes)
                if text[place] == "(":
                    depth = 0
                    while True:
                        if text[place] in '"':
                            place = string_end(place)
                            continue
                        depth += {"(": 1, ")": -1}.get(text[place], 0)
                        place += 1
                        if depth == 0:
                            break
                    continue
            place += 1
        return place

    while index < len(text):
        if text.startswith("//", index):
            end = text.find("\n", index)
            blank(index, end)
            index = end
        elif text[index] == '"' or re.match(r'#+"', text[index:index + 4]):
            end = string_end(index)
            blank(index, end)
            index = end
        else:
            index += 1
    return "".join(out)


def closing(mask, start):
    """The place of the mark that closes the one at start."""
    depth = 0
    for place in range(start, len(mask)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(mask[place], 0)
        if depth == 0:
            return place
    raise ValueError("never closed")


def until(mask, start, marks):
    """The first of some marks outside brackets."""
    place = start
    while place < len(mask):
        if mask[place] in marks:
            return place
        place = closing(mask, place) + 1 if mask[place] in "([{" else place + 1
    raise ValueError("none of " + marks)


class Source:
    """A file whose text is changed by insertions and replacements at places of the original."""

    def __init__(self, path, name, mutants):
        self.path, self.name, self.mutants = path, name, mutants
        self.text = path.read_text()
        self.mask = masked(self.text)
        self.edits = []
        self.bodies = list(self.find_bodies())

    def line(self, place):
        return self.text.count("\n", 0, place) + 1

    def mutant(self, kind, place, what):
        return self.mutants.add(kind, self.name, self.line(place), re.sub(r"\s+", " ", what).strip())

    def insert(self, place, text):
        self.edits.append((place, place, text))

    def replace(self, start, end, text):
        self.edits.append((start, end, text))

    def write(self):
        text = self.text
        order = sorted(enumerate(self.edits), key=lambda entry: (entry[1][0], entry[0]), reverse=True)
        for _, (start, end, new) in order:
            text = text[:start] + new + text[end:]
        self.path.write_text(text)

    def find_bodies(self):
        """(name, type, start of the body, its end) of functions and computed properties."""
        for match in re.finditer(r"\bfunc\s+([\w<>=]+)|\binit\??(?=\()", self.mask):
            place = self.mask.find("(", match.end())
            generic = self.mask[match.end():place]
            if generic.strip() and not generic.strip().startswith("<"):
                continue
            after = closing(self.mask, place) + 1
            brace = re.compile(r"\s*(?:throws(?:\(\w+\))?)?\s*(?:->\s*([^{}]*?))?\s*\{").match(self.mask, after)
            if not brace:
                continue
            start = brace.end() - 1
            head = self.mask[after:start]
            kind = (brace.group(1) or "").split(" where ")[0].strip()
            throws = "throws" in head
            yield match.group(1) or "init", kind, throws, start, closing(self.mask, start)
        for match in re.finditer(r"\bvar\s+(\w+)\s*:\s*([^={}\n]+?)\s*\{", self.mask):
            start = match.end() - 1
            yield match.group(1), match.group(2), False, start, closing(self.mask, start)

    def enclosing(self, place):
        """The innermost function around a place."""
        around = [body for body in self.bodies if body[3] < place < body[4]]
        return max(around, key=lambda body: body[3]) if around else None


def null(kind):
    if kind.endswith("?"):
        return "nil"
    return NULLS.get(kind)


# ------------------------------------------------------------------------------------------------------------- mutators

def take_out_cases(source, skip=()):
    for match in re.finditer(r"\bswitch\b", source.mask):
        start = until(source.mask, match.end(), "{")
        end = closing(source.mask, start)
        body = source.enclosing(match.start())
        name = body[0] if body else ""
        if name in skip:
            continue
        place, has_default = start + 1, False
        labels, starts = [], []
        while True:
            label = re.compile(r"(?<![.\w`])(case|default)\b(?!`)").search(source.mask, place, end)
            if not label:
                break
            # Only labels of this switch: what stands between braces belongs to others.
            inner = re.compile(r"\{").search(source.mask, place, label.start())
            if inner:
                place = closing(source.mask, inner.start()) + 1
                continue
            if re.search(r"(?:\b(?:if|guard|for|while)|,)\s*$", source.mask[place:label.start()]):
                place = label.end()
                continue
            colon = until(source.mask, label.end(), ":")
            starts.append((label.start(), colon, label.group() == "default"))
            if label.group() == "default":
                has_default = True
            else:
                labels.append((label.end(), colon))
            place = colon + 1
        default = None
        if not has_default and labels:
            default = DEFAULTS.get((source.name, name))
            value = null(body[1]) if body else None
            is_statement = re.search(r"\breturn\b", source.mask[start:end])
            if default or not body:
                pass
            elif body[2]:
                default = "throw " + NOTHING
            elif value is not None and (is_statement or is_whole(source, body, match.start())):
                default = ("return " if is_statement else "") + value
            source.insert(end, f"\ndefault: {default or 'fatalError()'}\n")
        ends = [label[0] for label in starts[1:]] + [end]
        works = [source.text[colon + 1:last].strip() for (_, colon, _), last in zip(starts, ends)]
        for (first, colon, is_default), work in zip(starts, works):
            if is_default:
                default = work
        for (begin, colon, is_default), work in zip(starts, works):
            # Where it does what is done without it, there is nothing to take out.
            if is_default or work == default:
                continue
            piece = begin + len("case")
            while piece < colon:
                comma = min(until(source.mask, piece, ",:"), colon)
                pattern = source.text[piece:comma]
                number = source.mutant("case", piece, f"{name}: case {pattern}")
                where = re.search(r"\bwhere\b", source.mask[piece:comma])
                if where:
                    source.insert(piece + where.end(), f" mutant != {number} && (")
                    source.insert(comma, ")")
                else:
                    source.insert(comma, f" where mutant != {number}")
                piece = comma + 1


def is_whole(source, body, place):
    """Whether what begins at a place is all of a body, or what it returns."""
    before = source.mask[body[3] + 1:place].strip()
    return before == "" or before.endswith("return")


def take_out_bodies(source, skip=()):
    for name, kind, throws, start, end in source.bodies:
        value = null(kind)
        if value is None or name in skip or "_read" in source.mask[start:end]:
            continue
        body = source.mask[start + 1:end].strip()
        if re.match(r"(mutating )?get\b|willSet|didSet|set\b", body):
            continue
        if body == value:
            continue
        number = source.mutant("body", start, f"{name} -> {kind}")
        is_expression = not re.search(r"\breturn\b|\bfatalError\b", body) and (
            "throw " not in body or body.startswith("switch"))
        source.insert(start + 1, f" if mutant == {number} {{ return {value} }}\n" + ("return " if is_expression else ""))


def take_out_steps(source):
    for name, kind, throws, start, end in source.bodies:
        if kind or name not in ("add", "merge", "hold", "addRow", "keep", "noteText", "giveUp"):
            continue
        if not source.mask[start + 1:end].strip():
            continue
        head = source.text[max(0, source.text.rfind("\n", 0, start)):start]
        owner = re.findall(r"\b(?:struct|extension)\s+(\w+)", source.mask[:start])
        number = source.mutant("add", start, f"{owner[-1] if owner else ''}.{name}")
        source.insert(start + 1, f" if mutant == {number} {{ return }}\n")


def take_out_messages(source):
    for match in re.finditer(r"\berror\(\s*(?=\.[a-z])|\bkind:\s*(?=\.[a-z]\w*[,)(])", source.mask):
        if source.mask[match.start()] == "k" and "ExpressionError(" not in source.mask[match.start() - 160:match.start()]:
            continue
        end = until(source.mask, match.end(), ",)")
        kind = source.text[match.end():end]
        if kind == ".empty":
            continue
        number = source.mutant("message", match.end(), f"error {kind}")
        source.insert(match.end(), f"mutant == {number} ? .empty : ")
    for match in re.finditer(r"\bthrow (try )?(?=[a-zA-Z.]*\()(?!ExpressionError|source\.error|call\.source\.error|error\(|self\.error)",
                             source.mask):
        end = source.text.find("\n", match.end())
        number = source.mutant("message", match.start(), source.text[match.start():end])
        source.replace(match.start(), match.end(), f"throw {match.group(1) or ''}mutant == {number} ? {NOTHING} : ")


def take_out_symbols(source):
    for match in re.finditer(r"\btake(?:Name)?\((?!as:|_)", source.mask):
        end = closing(source.mask, match.end() - 1) + 1
        call = source.text[match.start():end]
        if re.search(r"func\s+$", source.mask[:match.start()]) or call in ("take(symbol)", "take(word)", "take(closing)"):
            continue
        number = source.mutant("symbol", match.start(), call)
        source.insert(match.start(), f"(mutant != {number} && ")
        source.insert(end, ")")


RANKS = ["expression", "disjunction", "conjunction", "negation", "comparison", "coalescence", "sum", "term", "unary", "power",
         "postfix", "primary"]


def change_ranks(source, mutants):
    """Lets neighbouring rules of the parser change places, operators go to the rank beside, and groups grow from the other side."""
    swaps = []
    for first in range(len(RANKS) - 2):
        swaps.append(mutants.add("precedence", source.name, 0, f"{RANKS[first]} and {RANKS[first + 1]} change places"))
    for name, kind, throws, start, end in source.bodies:
        if name not in RANKS[:-1] + ["match", "like", "between", "membership", "test"] or kind not in ("Expression", "Expression?"):
            continue
        rank = RANKS.index("comparison") if name not in RANKS else RANKS.index(name)
        for match in re.finditer(rf"\btry ({RANKS[rank + 1]})\(\)", source.mask[start:end]):
            source.replace(start + match.start(1), start + match.end(), f"ranked({rank})")
    # Whoever wants an expression begins at the loosest rank, which may have changed places.
    for match in re.finditer(r"\btry expression\(\)", source.mask):
        source.replace(match.start() + 4, match.end(), "ranked(-1)")
    cases = "\n".join(f"    case {rank}: return try {name}()" for rank, name in enumerate(RANKS))
    extra = f"""
extension Parser {{
  /// The rule that comes after one in the order of ranks.
  mutating func ranked(_ rank: Int) throws(ExpressionError) -> Expression {{
    var order = Array(0...{len(RANKS) - 1})
    if let first = {swaps}.firstIndex(of: mutant) {{ order.swapAt(first, first + 1) }}
    switch rank < 0 ? order[0] : order[(order.firstIndex(of: rank) ?? 0) + 1] {{
{cases}
    default: fatalError()
    }}
  }}
}}
"""
    source.insert(len(source.text), extra)

    # Each operator of a chain at the other rank, or unknown.
    calls = [match for match in re.finditer(r"\btakeArithmetic\((\.[^)]*)\)", source.mask)]
    lists = [[symbol.strip() for symbol in call.group(1).split(",")] for call in calls]
    added = [[] for _ in calls]
    ranks = [symbols[0] for symbols in lists]
    for place, symbols in enumerate(lists):
        new = []
        for symbol in symbols:
            gone = mutants.add("symbol", source.name, source.line(calls[place].start()), f"takeArithmetic({symbol})")
            moved = mutants.add("precedence", source.name, source.line(calls[place].start()), f"{symbol} at the rank of {ranks[1 - place]}")
            new.append(f"mutant == {gone} || mutant == {moved} ? .dot : {symbol}")
            added[1 - place].append(f"mutant == {moved} ? {symbol} : .dot")
        lists[place] = new
    for place, call in enumerate(calls):
        source.replace(call.start(1), call.end(1), ", ".join(lists[place] + added[place]))

    for text, other, what in [
        ("operand: try term()", "operand: try mutant == {} ? sum() : term()", "sum groups right"),
        ("operand: try unary())", "operand: try mutant == {} ? term() : unary())", "term groups right"),
        ("let exponent = try unary()", "let exponent = try mutant == {} ? postfix() : unary()", "power groups left"),
        ("let otherwise = try expression()", "let otherwise = try mutant == {} ? disjunction() : ranked(-1)", "? : groups left"),
    ]:
        start = source.text.find(text)
        assert start >= 0, text
        source.edits = [edit for edit in source.edits if not start <= edit[0] < start + len(text)]
        source.replace(start, start + len(text), other.format(mutants.add("precedence", source.name, source.line(start), what)))


def take_out_functions(sources, mutants):
    """Bodies and other names, where the entries of all functions are made."""
    bodies, aliases = {}, {}
    for source in sources:
        for match in re.finditer(r'\bFunction\(\s*"(\w+)"(?:,\s*also:\s*\[([^]]*)\])?', source.text):
            bodies[match.group(1)] = source.mutant("function", match.start(), match.group(1) + "()")
            for name in re.findall(r'"(\w+)"', match.group(2) or ""):
                aliases[name] = source.mutant("function", match.start(), f"{name}() for {match.group(1)}()")
    table = lambda names: "[" + ", ".join(f'"{name}": {number}' for name, number in names.items()) + "]"
    return f"""
let mutantBodies: [String: Int] = {table(bodies)}
let mutantNames: [String: Int] = {table(aliases)}

extension Function.Body {{
  /// The body, or one that gives null.
  func mutated(_ name: String) -> Function.Body {{
    guard mutantBodies[name] == mutant else {{ return self }}
    return switch self {{
    case .call: .call(.value {{ _, _ in .null }})
    case .row: .row {{ _ in .null }}
    case .pattern: .pattern {{ _, _, _, _ in .null }}
    case .form: .form {{ (_, _) throws(ExpressionError) in (.constant(.null), .null) }}
    case .aggregate: .aggregate(NoAggregate.self)
    }}
  }}
}}

struct NoAggregate: Accumulator {{
  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {{}}
  mutating func merge(_ later: NoAggregate) {{}}
  var result: Value {{ .null }}
}}
"""


def mutate(folder):
    """Puts the bodies of the sources in a folder under conditions."""
    mutants = Mutants()
    sources = {}
    for path in sorted((folder / "TablerEngine").rglob("*.swift")) + sorted((folder / "TablerCommand").rglob("*.swift")):
        name = str(path.relative_to(folder))
        if name.startswith(EXPRESSIONS) or path.name in ("Messages+Expression.swift", "Number.swift"):
            sources[name] = Source(path, path.name, mutants)
    functions = [source for name, source in sources.items() if "/Functions/" in name]
    extra = take_out_functions(functions, mutants)
    entry = sources[EXPRESSIONS + "Functions/Function.swift"]
    for old, new in [("    self.body = body\n", "    self.body = body.mutated(name)\n"),
                     ("    self.otherNames = otherNames\n",
                      "    self.otherNames = otherNames.filter { mutantNames[$0] != mutant }\n")]:
        start = entry.text.index(old)
        entry.replace(start, start + len(old), new)

    files = {pathlib.Path(name).name: source for name, source in sources.items()}
    for name in ["Evaluator.swift", "Evaluator+Truth.swift", "Evaluator+Times.swift", "Binder+Times.swift",
                 "Binder+Comparisons.swift", "Binder+References.swift", "Binder.swift", "Lexer.swift", "Parser.swift",
                 "Parser+Mistakes.swift", "NumberTerm.swift", "Selection.swift", "Messages+Expression.swift", "Number.swift",
                 "Node.swift", "Template.swift", "FormatText.swift"] + [source.name for source in functions]:
        take_out_cases(files[name], SKIPPED_CASES.get(name, ()))
    for name in ["Evaluator.swift", "Evaluator+Truth.swift", "Evaluator+Times.swift", "Binder+Times.swift", "Number.swift",
                 "LikePattern.swift", "FormatText.swift", "CaseMapping.swift", "LookupTable.swift"] + [
                     source.name for source in functions if source.name != "Function.swift"]:
        take_out_bodies(files[name], SKIPPED_BODIES.get(name, ()))
    for name in ["AggregateFunctions.swift", "NumberSample.swift", "GroupAggregator.swift"]:
        take_out_steps(files[name])
    for name in ["Lexer.swift", "Parser.swift", "Parser+Mistakes.swift", "Expression.swift", "Template.swift", "Binder.swift",
                 "Binder+Times.swift", "Binder+Comparisons.swift", "Binder+References.swift"] + [
                     source.name for source in functions]:
        take_out_messages(files[name])
    take_out_symbols(files["Parser.swift"])
    change_ranks(files["Parser.swift"], mutants)
    for source in sources.values():
        source.write()
    (folder / "Mutants.swift").write_text(
        "import Foundation\n\n/// The number of the body that is taken out.\n"
        'let mutant = Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0\n' + extra)
    return mutants.all


# Choices of the quickest way to the same answer: the way that is left gives it more slowly.
SKIPPED_CASES = {
    "NumberTerm.swift": ("term", "levels"), "Selection.swift": ("init", "shape", "comparison", "membership", "comparingCells", "compares"),
    "Function.swift": ("functions",), "Node.swift": (), "Binder.swift": (), "GroupAggregator.swift": ("byteCount",),
    "AggregateFunctions.swift": ("byteCount",),
}
SKIPPED_BODIES = {
    "Number.swift": ("hash",), "AggregateFunctions.swift": ("byteCount", "isFixed"), "GroupAggregator.swift": ("byteCount", "take"),
}


# ------------------------------------------------------------------------------------------------------------------ runs

def build(scratch):
    """Copies, mutates and compiles the sources; the list of mutants."""
    folder = scratch / "Sources"
    shutil.rmtree(folder, ignore_errors=True)
    for module in ("TablerEngine", "TablerCommand"):
        shutil.copytree(ROOT / "Sources" / module, folder / module)
    mutants = mutate(folder)
    # One module: its own name is then imported, which means nothing, but that of the other is not there.
    reader = READER.read_text().replace("@testable import TablerCommand\n", "")
    (folder / "ExpressionRows.swift").write_text(reader)
    shutil.copy(MAIN, folder / "Main.swift")
    sources = sorted(str(path) for path in folder.rglob("*.swift"))
    command = ["swiftc", "-parse-as-library", "-O", "-wmo", "-suppress-warnings", "-swift-version", "6",
               "-enable-experimental-feature", "Lifetimes", "-Xfrontend", "-disable-implicit-string-processing-module-import",
               "-module-name", "TablerEngine", "-o", str(scratch / "rows")] + sources
    stamp = hashlib.sha256(b"".join(pathlib.Path(source).read_bytes() for source in sources)).hexdigest()
    kept = scratch / "stamp"
    if not (scratch / "rows").exists() or not kept.exists() or kept.read_text() != stamp:
        if subprocess.run(command).returncode:
            sys.exit("the mutated sources do not compile")
        kept.write_text(stamp)
    return mutants


def notices(scratch, number):
    """Whether a row of the table fails with a mutant; a trap and a hang are failures too."""
    try:
        # With conditions in it, the parser needs more stack.
        run = subprocess.run([scratch / "rows", scratch / TABLE.name], timeout=20, cwd=scratch,
                             env=dict(os.environ, MUTANT=str(number), SWIFT_BACKTRACE="enable=no"),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 26, resource.RLIM_INFINITY)),
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return run.returncode != 0
    except subprocess.TimeoutExpired:
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build/mutants", help="where the copy is compiled")
    parser.add_argument("--list", action="store_true", help="print every mutant")
    parser.add_argument("--only", default="", help="try only mutants in whose line this stands")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many are tried at a time")
    options = parser.parse_args()
    scratch = options.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    mutants = build(scratch)
    shutil.copy(TABLE, scratch)
    if notices(scratch, 0):
        sys.exit("the table does not hold without any mutant")
    counts, survivors, equivalents = {}, [], []
    chosen = [(number, *mutant) for number, mutant in enumerate(mutants, 1)
              if options.only in "{}: {}:{}: {}".format(*mutant)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda mutant: notices(scratch, mutant[0]), chosen)
        for (number, kind, file, line, what), is_noticed in zip(chosen, results):
            text = f"{kind}: {file}:{line}: {what}"
            if options.list:
                print(number, text, flush=True)
            found, total = counts.get(kind, (0, 0))
            if is_noticed:
                found += 1
            elif any(file == name and what.startswith(part) for name, part, _ in EQUIVALENT):
                equivalents.append(text)
            else:
                survivors.append(text)
                print(f"not noticed: {number} {text}", flush=True)
            counts[kind] = (found, total + 1)
    for kind, (found, total) in sorted(counts.items()):
        print(f"{kind:<12}{found:>5} of {total}")
    found, total = (sum(count[place] for count in counts.values()) for place in (0, 1))
    print(f"{total} mutants, {found} noticed, {len(equivalents)} that change nothing, {len(survivors)} not noticed")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
