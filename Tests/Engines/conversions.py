#!/usr/bin/env python3
"""Texts that `--types` declares to be something else: engines must make of them what tabler does, or null.

Numbers agree in 15 digits; of dates only the usual spelling is read by engines.
"""

import decimal
import json
import os
import re
import subprocess
import sys
import tempfile

import engines
import tables

TEXTS = ["2.0", "1e3", "+5", " 7 ", "0x1F", "007", "-0", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1_0", "abc",
         "", None, "2.7", "-2.7", "1e400", "inf", "nan", ".5", "5.", "١٢", "true", "TRUE", "false", "2024-02-29", "2023-02-29", "20240229",
         "2024-02-29T10:00:00", " 2024-02-29 ", "1999-12-31", "99999-01-01", "1e-400", "--5", "1 0", "7\t", "\n7", "7\n", "24-02-29", "1.5e2",
         "0.1", "9007199254740993", "9007199254740993.0", "12345678901234567890.5", "\u00a07", "2024-2-9", "2024-13-01", "1900-01-01", "1e", "e5",
         ".", "+", "-", "1.2.3", "'7'", "1,5", "$5", "7%"]
TYPES = ["int", "double", "number", "decimal", "bool", "date", "text"]
DAY = re.compile(r"[ \t]*\d{4}-\d\d-\d\d[ \t]*")


def asked(given, words, engine=None):
    """The second column of an answer, by id; None if it was refused."""
    run = subprocess.run([given.tabler, *words, "--derive", "b = a", "--columns", "id,b", "--to", "jsonl", "--quiet"], stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=120, check=False, **({"env": engine.environment, "cwd": engine.folder} if engine else {}))
    if run.returncode == 2:
        return None
    if run.returncode:
        raise RuntimeError(f"status {run.returncode}: {run.stderr.decode(errors='replace')}")
    rows = [json.loads(line, parse_int=decimal.Decimal, parse_float=decimal.Decimal) for line in run.stdout.decode().split("\n") if line]
    return {int(row["id"]): row["b"] for row in rows}


def plain(value):
    """Numbers in 15 digits; beyond a double they are infinite."""
    if isinstance(value, str) and re.fullmatch(r"-?(inf|Infinity)", value):
        return decimal.Decimal("-Infinity" if value[0] == "-" else "Infinity")
    if isinstance(value, decimal.Decimal) and value.is_finite():
        if abs(value) > decimal.Decimal("1.8e308"):
            return decimal.Decimal("Infinity").copy_sign(value)
        return decimal.Decimal(0) if abs(value) < decimal.Decimal("5e-324") else decimal.Decimal(f"{value:.14e}")
    return value


def main():
    given = engines.options(__doc__)
    table = tables.Table("odd", [("id", "int"), ("a", "text")], [[number, text] for number, text in enumerate(TEXTS)])
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(table.json_lines())
        own = {kind: asked(given, [path, "--types", f"id:int,a:{kind}"]) for kind in TYPES}
        for name in given.engine:
            count = engines.Count(name)
            with engines.ENGINES[name](given.venv, isDirect=True) as engine:
                # A number beyond doubles is an error in Postgres, and so no other answer.
                held = [row for row in table.rows if engine.dialect != "postgres" or row[1] not in ("1e400", "1e-400")]
                engine.load(tables.Table(table.name, table.columns, held))
                if name == "spark":
                    engine.make_pending()
                for kind in TYPES:
                    words = ["--via", engine.via, "--table", engine.table_name(table), "--types", f"a:{kind}"]
                    found = asked(given, words, engine)
                    count.trials += 1
                    if found is None:
                        count.refused += 1
                        continue
                    for number, text in held:
                        one, other = plain(own[kind][number]), plain(found.get(number, "missing"))
                        if (one or None) == (other or None) or kind == "date" and other is None and not DAY.fullmatch(text or ""):
                            continue
                        count.fail(f"a:{kind}", f"{text!r} is {one!r} here, {other!r} there", words)
            if count.refused > len(TYPES) - 2:
                count.fail("types", "hardly any was answered", [name])
            failed += count.report()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
