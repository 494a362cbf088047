"""A server around the library chdb, for a client that is named `clickhouse-local`: not the real program, but its SQL.

It takes a query on stdin and `--format`, as far as tabler runs the client. The database stands in the folder of `--path`,
which the server was started with.
"""

import json
import re
import sys
import threading

from chdb.session import Session

import service


def answer(words, sql):
    """The output of a client that was started with these arguments."""
    form = "TabSeparated"
    given = iter(words)
    for word in given:
        name, equals, value = word.partition("=")
        if name in ("--format", "--output-format"):
            form = value if equals else next(given)
        elif word == "--path":
            next(given)
        elif not name.startswith("--"):
            raise service.Failure(1, f"clickhouse-local: unknown argument {word}")
    if not sql.strip():
        return b""
    try:
        with turn:
            return output(sql, form)
    except Exception as error:
        code = re.search(r"Code: (\d+)", str(error))
        raise service.Failure(int(code[1]) % 256 if code else 1, str(error)) from error


def output(sql, form):
    """The output of a query; the library prints no header for no rows, the client of ClickHouse does."""
    found = session.query(sql, form).bytes()
    if not found and form == "CSVWithNames" and re.match(r"\s*(--[^\n]*\n\s*)*(SELECT|WITH|DESCRIBE|SHOW)\b", sql, re.I):
        described = session.query(f"DESCRIBE TABLE (\n{sql.strip().rstrip(';')}\n)", "JSONCompactColumns").bytes()
        names = json.loads(described)[0]
        found = (",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n").encode()
    return found


# A session answers one query at a time.
turn = threading.Lock()
session = Session(sys.argv[1])
service.serve(sys.argv[2], answer)
