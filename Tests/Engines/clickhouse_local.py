"""`clickhouse-local` as far as tabler runs it: a query on stdin or by --query, --format and --path; the server answers."""

import json
import socket
import sys


def main():
    form, query, folder = "TabSeparated", None, None
    words = iter(sys.argv[1:])
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("--format", "--output-format"):
            form = value if equals else next(words)
        elif name in ("--query", "-q"):
            query = value if equals else next(words)
        elif name == "--path":
            folder = value if equals else next(words)
        elif not name.startswith("--"):
            sys.exit(f"clickhouse-local: unknown argument {word}")
    text = query.encode() if query is not None else sys.stdin.buffer.read()
    if not text.strip():
        return 0
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(folder + ".socket")
        except OSError as error:
            print(f"Code: 210. {error}", file=sys.stderr)
            return 210
        connection.sendall(json.dumps({"format": form}).encode() + b"\n" + text)
        connection.shutdown(socket.SHUT_WR)
        file = connection.makefile("rb")
        status = int(file.readline() or b"1")
        output = sys.stderr.buffer if status else sys.stdout.buffer
        while block := file.read(65536):
            output.write(block)
        output.flush()
    return status


sys.exit(main())
