#!/usr/bin/env python3
"""Files that DuckDB reads for tabler: rows and cells are those that tabler reads itself, or both refuse the file."""

import gzip
import json
import os
import subprocess
import sys
import tempfile

import engines

# Name and content. What tabler reads of them, DuckDB must not guess to be something else.
FILES = [
    ("hash.csv", "a,b\n#1,x\n2,y\n#3,z\n"), ("comment.csv", 'id,text\n1,"#c"\n# note,5\n2,b\n'), ("single.csv", "a,b\n'x,1\ny',2\n'z',3\n"),
    ("semicolon.csv", "a\nx;1\ny;2\nz;3\n"), ("bars.csv", "a\nx|1\ny|2\n"), ("long.csv", "a,b\n1,2\n1,2,3\n"), ("short.csv", "a,b\n1,2\n1\n"),
    ("title.csv", "Report of May\na,b\n1,2\n"), ("escape.csv", 'a,b\n"x\\"y",1\n'), ("late.csv", "a,b\n" + "".join(f"{i},x{i}\n" for i in range(30000)) + '1,"q""uo"\n'),
    ("quotes.csv", 'a,b\n"x ""y""",""\n,"a\nb"\n'), ("blanks.csv", "a,b\n x , y \n"), ("zeros.csv", "id,zip\n1,007\n2,1e5\n3,true\n"), ("crlf.csv", "a,b\r\n1,2\r\n"),
    ("empty.csv", "a,b\n"), ("unicode.csv", "größe,🍌\nß,日本\n"), ("dates.csv", "d,t\n2024-02-30,10:00\n01/02/2024,x\n"), ("null.csv", "a,b\nNULL,NA\nnull,\\N\n"),
    ("open.csv", 'a,b\n"x,1\n'), ("bom.csv", "\ufeffa,b\n1,2\n"), ("[a] *.csv", "a,b\n1,2\n"), ("plain.tsv", "a\tb\n1\t\"x\"\n'y\t2\n"),
    ("lines.jsonl", '{"a":1,"b":"x"}\n{"a":2,"b":null}\n'), ("packed.csv.gz", "a,b\n1,x\n#2,y\n"),
]


def rows(given, words, environment):
    run = subprocess.run([given.tabler, *words, "--to", "jsonl", "--quiet"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, env=environment,
                         check=False)
    if run.returncode:
        return run.returncode, run.stderr.decode(errors="replace")
    return 0, [json.loads(line) for line in run.stdout.decode().split("\n") if line]


def main():
    given = engines.options(__doc__)
    environment = {**os.environ, "PATH": os.path.join(given.venv, "bin") + os.pathsep + os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    count = engines.Count("files")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES:
            path = os.path.join(folder, name)
            with (gzip.open(path, "wt", encoding="utf-8", newline="") if name.endswith(".gz") else open(path, "w", encoding="utf-8", newline="")) as file:
                file.write(content)
            plain = path
            if name.endswith(".gz"):
                plain = path[:-3]
                with open(plain, "w", encoding="utf-8", newline="") as file:
                    file.write(content)
            types = [] if name.endswith("jsonl") else ["--types", "*:text"]
            form = [] if name.endswith("jsonl") else ["-d", "\\t" if name.endswith("tsv") else ","]
            own, asked = [plain, *types, *(form if not name.endswith("tsv") else [])], [path, "--via", "duckdb", *types]
            (status, here), (end, there) = rows(given, own, environment), rows(given, asked, environment)
            count.trials += 1
            if (status == 0) != (end == 0) or status == 0 and here != there:
                count.fail(name, f"status {status}: {str(here)[:300]} here, status {end}: {str(there)[:300]} there", asked)
    return 1 if count.report() else 0


if __name__ == "__main__":
    sys.exit(main())
