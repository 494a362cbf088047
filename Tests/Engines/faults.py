#!/usr/bin/env python3
"""What goes wrong with `--via`: unknown names, clients that are missing or die, servers that are gone, signals, closed pipes.

After a signal or a closed pipe nothing may go on computing. A million rows take no more memory than a few.
"""

import contextlib
import os
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import engines
import tables

# A view that no engine ever finishes, with a column `id`; a table `thousand` stands beside it where it is needed.
ENDLESS = {
    "sqlite": "CREATE VIEW endless AS SELECT a.id FROM thousand a, thousand b, thousand c, thousand d;",
    "duckdb": "CREATE VIEW endless AS SELECT a.id FROM thousand a, thousand b, thousand c, thousand d;",
    "postgres": "CREATE VIEW {s}endless AS SELECT a.id FROM {s}thousand a, {s}thousand b, {s}thousand c, {s}thousand d;",
    "clickhouse": "CREATE VIEW endless AS SELECT toInt64(number) AS id FROM system.numbers",
    "spark": "CREATE VIEW endless AS SELECT id FROM range(1000000000000000);\nCREATE VIEW plenty AS SELECT id FROM range(1000000);",
}


def ask(given, engine, words, table="orders", **more):
    """The words of a run by `--via`, and the run."""
    name = f"{engine.schema}.{table}" if engine.schema else table
    words = [given.tabler, "--via", engine.via, "--table", name, *words]
    return words, subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=engine.environment, cwd=engine.folder,
                                 timeout=180, check=False, **more)


def expect(count, what, words, run, status, says="", output=b""):
    """A run must end with a status, say something of what went wrong, and print nothing but the output."""
    count.trials += 1
    said = run.stderr.decode(errors="replace")
    statuses = status if isinstance(status, tuple) else (status,)
    if run.returncode not in statuses:
        count.fail(what, f"status {run.returncode}, not {status}: {said}", words)
    elif not said.strip() and status != 0:
        count.fail(what, "no message", words)
    elif says not in said:
        count.fail(what, f"the message does not name {says!r}: {said}", words)
    elif output is not None and run.stdout != output:
        count.fail(what, f"printed {run.stdout[:200]!r}", words)


# --------------------------------------------------------------------------------------------- clients

# Clients that misbehave: the body of a script in sh that is named like a client; the options; the statuses that are right;
# what the message must hold; what may be printed. `id` and `n` are the columns, their types are given.
CLIENTS = [
    ("dies before the first row", "duckdb", "cat >/dev/null; echo 'no such lake' >&2; exit 3", [], 4, "no such lake", b""),
    ("dies without reading", "duckdb", "exit 1", [], 4, "", b""),
    ("dies after the first row", "duckdb", "cat >/dev/null; printf 'id,n\\n1,2\\n'; echo 'lost the lake' >&2; exit 1", [], 4,
     "lost the lake", None),
    ("dies after the first row, gathered", "duckdb", "cat >/dev/null; printf 'id,n\\n1,2\\n'; exit 1", ["--tail", "1"], (2, 4), "", b""),
    ("dies by KILL", "duckdb", "cat >/dev/null; printf 'id,n\\n1,2\\n'; kill -KILL $$", [], 4, "", None),
    ("dies by TERM", "duckdb", "cat >/dev/null; printf 'id,n\\n'; kill -TERM $$", [], 4, "", None),
    ("half a record", "duckdb", "cat >/dev/null; printf 'id,n\\n1,2\\n3'", [], (3, 4), "", None),
    ("half a quoted cell", "duckdb", "cat >/dev/null; printf 'id,n\\n1,2\\n3,\"4'", [], (3, 4), "", None),
    ("half an object", "spark-sql", "cat >/dev/null; printf 'j\\n{\"id\":1,\"n\":2}\\n{\"id\":3,\"n'", [], (3, 4), "", None),
    ("answers in one session", "spark-sql", "cat >/dev/null; printf 'j\\n{\"id\":1,\"n\":2}\\n'", ["--csv"], 0, "", b"id,n\n1,2\n"),
    ("dies between columns and rows", "spark-sql", "echo 'lost the lake' >&2; exit 3", [], 4, "lost the lake", b""),
    ("ends between columns and rows", "spark-sql", "exit 0", [], 4, "", b""),
    ("dies of the query", "spark-sql", "cat >/dev/null; printf 'j\\n{\"id\":1,\"n\":2}\\n'; exit 1", ["--sort", "n"], 4, "", None),
    ("no byte for the query", "spark-sql", "cat >/dev/null", [], 4, "", b""),
    ("no byte", "duckdb", "cat >/dev/null", [], 4, "", b""),
    ("no byte for no rows", "sqlite3", "cat >/dev/null", ["--csv"], 0, "", b"id,n\n"),
    ("other columns", "duckdb", "cat >/dev/null; printf 'x,y\\n1,2\\n'", [], 4, "", b""),
    ("too few columns", "duckdb", "cat >/dev/null; printf 'id\\n1\\n'", [], (3, 4), "", b""),
    ("out of order", "duckdb", "cat >/dev/null; printf 'id,n\\n3,1\\n1,1\\n'", ["--sort", "id"], 1, "", None),
    ("a letter where a number was", "duckdb", "cat >/dev/null; printf 'id,n\\nx,1\\n'", ["--csv"], (0, 1, 3, 4), "", None),
    ("never reads the query", "duckdb", "printf 'id,n\\n1,2\\n'", ["--csv"], 0, "", b"id,n\n1,2\n"),
    ("much on stderr first", "duckdb", "cat >/dev/null; head -c 3000000 /dev/zero | tr '\\0' x >&2; printf 'id,n\\n1,2\\n'",
     ["--csv"], 0, "", b"id,n\n1,2\n"),
    ("answers before it reads", "duckdb", "printf 'id,n\\n'; i=0; while [ $i -lt 30000 ]; do echo 1,2; i=$((i+1)); done; cat >/dev/null",
     ["--csv", "--filter", "id = 1 or n in (" + ", ".join(map(str, range(9000))) + ")"], 0, "", None),
]


def misbehaving(given):
    """Clients that are missing or misbehave."""
    count = engines.Count("clients")
    with tempfile.TemporaryDirectory() as folder:
        for number, (what, name, body, more, status, says, output) in enumerate(CLIENTS):
            os.mkdir(os.path.join(folder, str(number)))
            client = script(os.path.join(folder, str(number), name), body)
            words = [given.tabler, "--via", client, "--table", "orders", "--types", "id:int,n:int", "--columns", "id,n", *more]
            try:
                run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
            except subprocess.TimeoutExpired:
                count.trials += 1
                count.fail(what, "hangs", words)
                continue
            expect(count, what, words, run, status, says, output)
        for what, client, more, status in [
                ("missing", "no-such-client", ["--dialect", "postgres"], 4),
                ("missing, by its path", folder + "/psql", [], 4),
                ("a folder", folder, ["--dialect", "duckdb"], 4),
                ("without a dialect", "cat", [], 2),
                ("nothing", "", [], 2),
                ("an open quote", "psql -h 'x", [], 2)]:
            words = [given.tabler, "--via", client, "--table", "orders", "--types", "id:int", *more]
            expect(count, what, words, subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False), status)
        no_shell(given, folder, count)
        signal_order(given, folder, count)
    return count.report()


# The beginning of a client that tells its columns when it is asked for them, and otherwise goes on; the script of Spark tells
# them in the session that is asked for rows.
TELLING = {
    "duckdb": r"case $(cat) in *DESCRIBE*) printf 'name,type\nid,BIGINT\nn,BIGINT\n'; exit;; esac",
    "sqlite3": r"case $(cat) in *pragma_table_*info*) printf 'name,type\nid,INTEGER\nn,INTEGER\n'; exit;; esac",
    "spark-sql": r"""word=$(sed 's/.*`\(.*\)start`.*/\1/' /dev/fd/7)  # org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver
printf 'col_name\tdata_type\n%sstart\tint\nid\tbigint\nn\tbigint\n%send\tint\n' $word $word""",
}


def script(path, body):
    """A client in sh that tells the columns `id` and `n`, whole numbers, when it is asked for them."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{TELLING[os.path.basename(path)]}\n{body}\n")
    os.chmod(path, 0o755)
    return path


def no_shell(given, folder, count):
    """The command is no shell's: what a shell would run or replace is an argument as it is."""
    mark = os.path.join(folder, "mark")
    client = script(os.path.join(folder, "duckdb"), f'cat >/dev/null; printf "%s\\n" "$@" >"{folder}/given"; printf "id\\n1\\n"')
    words = [given.tabler, "--via", f"{client} $HOME 'two words' ;touch {mark} `touch {mark}` $(touch {mark}) *", "--table", "orders",
             "--columns", "id", "--csv"]
    run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
    expect(count, "no shell", words, run, 0, "", b"id\n1\n")
    with contextlib.suppress(OSError):
        with open(os.path.join(folder, "given"), encoding="utf-8") as file:
            given_words = file.read().split("\n")
        if os.path.exists(mark) or "$HOME" not in given_words or "two words" not in given_words or "*" not in given_words:
            count.fail("no shell", f"the client was given {given_words}", words)


def signal_order(given, folder, count):
    """A client that does not listen gets INT, then TERM, then has gone."""
    os.mkdir(os.path.join(folder, "deaf"))
    log = os.path.join(folder, "signals")
    client = script(os.path.join(folder, "deaf", "duckdb"),
                    f"trap 'echo INT >>{log}' INT\ntrap 'echo TERM >>{log}; exit 1' TERM\ncat >/dev/null; echo ready >>{log}\n"
                    "while :; do sleep 0.1; done")
    words = [given.tabler, "--via", client, "--table", "orders", "--types", "id:int", "--columns", "id"]
    run = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    count.trials += 1
    try:
        engines.wait_for("the client", lambda: os.path.exists(log), 10)
        run.send_signal(signal.SIGINT)
        run.wait(15)
        lines = open(log, encoding="utf-8").read().split()
        if lines != ["ready", "INT", "TERM"]:
            count.fail("INT, then TERM", f"the client saw {lines}", words)
        if run.returncode == 0:
            count.fail("INT, then TERM", "status 0", words)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        count.fail("INT, then TERM", str(error), words)
    left = engines.processes_about(folder, [run.pid])
    if left:
        count.fail("INT, then TERM", f"left behind: {left}", words)
    engines.end_session(run.pid, folder)
    run.wait()


# --------------------------------------------------------------------------------------------- engines

def unknown_names(given, engine, count):
    """A column that is not there is status 2, a table that is not there is status 2 or 4; neither prints a table."""
    cases = [["--filter", "wieght > 10"], ["--sort", "wieght"], ["--columns", "id,wieght"], ["--derive", "x = wieght + 1"],
             ["--group-by", "wieght"], ["--aggregate", "sum(wieght)"], ["--filter", "ID = 1"]]
    for case in cases if engine.name != "spark" else cases[:1]:
        words, run = ask(given, engine, case)
        expect(count, "unknown column", words, run, 2, case[1] if case[0] in ("--sort", "--group-by") else "")
    words, run = ask(given, engine, [], table="no_such_table")
    expect(count, "unknown table", words, run, (2, 4), "no_such_table")
    # The ClickHouse of 2018 counts the rows of no table.
    if engine.name != "clickhouse-old":
        words = [given.tabler, "--via", engine.via, "--tables", "--csv"]
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=engine.environment, cwd=engine.folder,
                             timeout=60, check=False)
        expect(count, "--tables", words, run, 0, "", None)
        if b"orders" not in run.stdout:
            count.fail("--tables", f"no orders in {run.stdout!r}", words)


def mistyped_file(given, engine, count):
    """A file that is not there is not made."""
    if engine.name in ("sqlite", "duckdb"):
        path = engine.path("mistyped.db")
        words = [given.tabler, "--via", f"{engine.via.split()[0]} {path}", "--table", "orders"]
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=engine.environment, timeout=60, check=False)
        expect(count, "mistyped file", words, run, (2, 4))
        if os.path.exists(path):
            count.fail("mistyped file", "it was made", words)


def endless(engine):
    """Makes the view that never ends."""
    if engine.name in ("sqlite", "duckdb", "postgres", "shards"):
        engine.load(tables.Table("thousand", [("id", "int")], [[number] for number in range(1000)]))
    sql = ENDLESS[engine.dialect].format(s=f"{engine.schema}." if engine.schema else "")
    if engine.name == "spark":
        engine.script(sql)
        engine.watch()
    elif engine.name in ("clickhouse", "clickhouse-old"):
        engine.execute(sql)
    else:
        engine.run(sql)


def nothing_left(engine, patience=10):
    """Waits until nothing is computed; what still is."""
    end = time.monotonic() + patience
    while True:
        left = engine.computing()
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.1)


def begin(engine, words):
    """Begins a run whose output is a pipe."""
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=engine.environment,
                            cwd=engine.folder, start_new_session=True)


def endless_words(given, engine):
    """The words of a question that no engine ever answers."""
    name = f"{engine.schema}.endless" if engine.schema else "endless"
    return [given.tabler, "--via", engine.via, "--table", name, "--filter", "id % 7 = 3", "--aggregate", "n = count()"]


def patience(engine, seconds):
    """How long to wait; Spark takes long to start and to stop."""
    return 150 if engine.name == "spark" else seconds


def interrupted(given, engine, count, number, whole_group):
    """A signal while the engine computes: tabler ends, and nothing goes on computing."""
    words = endless_words(given, engine)
    what = f"{signal.Signals(number).name} to {'the group' if whole_group else 'tabler'}"
    run = begin(engine, words)
    count.trials += 1
    try:
        engines.wait_for("the engine", lambda: is_busy(engine, run), patience(engine, 20), run)
        time.sleep(0.3)
        start = time.monotonic()
        (os.killpg if whole_group else os.kill)(run.pid, number)
        output, said = run.communicate(timeout=30)
        left = nothing_left(engine, 5)
        if left:
            count.fail(what, f"goes on {time.monotonic() - start:.1f} s later: {left}", words)
        # The header may be out; a row of an answer that did not end may not.
        if run.returncode == 0 or any(chr(byte).isdigit() for byte in output):
            count.fail(what, f"status {run.returncode}, printed {output[:100]!r}: {said.decode(errors='replace')}", words)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        count.fail(what, str(error), words)
    finally:
        clean(engine, run)


def is_busy(engine, run):
    """Whether the engine computes what tabler asked; clients in a file are busy when they have run for a moment."""
    if engine.name == "spark":
        return bool(engine.stages())
    found = engine.computing()
    if engine.name in ("sqlite", "duckdb"):
        return any(str(run.args[0]) not in words.split()[:1] for words in found)
    return any("endless" in words for words in found)


def closed_pipe(given, engine, count):
    """`| head -1`: tabler ends quietly, and nothing goes on computing."""
    # Spark prints nothing before all is computed.
    table = "plenty" if engine.name == "spark" else "endless"
    name = f"{engine.schema}.{table}" if engine.schema else table
    words = [given.tabler, "--via", engine.via, "--table", name, "--columns", "id", "--csv"]
    count.trials += 1
    run = begin(engine, words)
    try:
        watch = threading.Timer(patience(engine, 60), lambda: os.killpg(run.pid, signal.SIGKILL))
        watch.start()
        line = run.stdout.readline()
        watch.cancel()
        run.stdout.close()
        run.wait(30)
        left = nothing_left(engine, 5)
        if line.strip() not in (b"id", b'"id"') or left:
            count.fail("closed pipe", f"first line {line!r}, still computed {left}: {run.stderr.read()[:300]!r}", words)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        count.fail("closed pipe", str(error), words)
    finally:
        clean(engine, run)


def closed_early(given, engine, count):
    """A pipe that is closed while the engine computes the first row: nothing goes on computing."""
    words = endless_words(given, engine)
    count.trials += 1
    run = begin(engine, words)
    try:
        engines.wait_for("the engine", lambda: is_busy(engine, run), patience(engine, 20), run)
        run.stdout.close()
        run.wait(30)
        left = nothing_left(engine, 5)
        if left:
            count.fail("pipe closed before the first row", f"still computed {left}: {run.stderr.read()[:300]!r}", words)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        count.fail("pipe closed before the first row", str(error), words)
    finally:
        clean(engine, run)


def clean(engine, run):
    """Ends what a trial left behind, so that the next one begins with nothing."""
    if run.poll() is None or engine.computing():
        engines.end_session(run.pid, engine.folder)
    run.wait()
    for pipe in (run.stdout, run.stderr):
        pipe.close()
    nothing_left(engine, 5)


def server_gone(given, engine, count):
    """A server that dies in the middle of an answer, and one that is not there."""
    if engine.name not in ("postgres", "clickhouse-old"):
        return
    name = "endless"
    words = [given.tabler, "--via", engine.via, "--table", name, "--columns", "id", "--csv"]
    run = begin(engine, words)
    count.trials += 1
    try:
        run.stdout.read(100)
        engine.servers[0].send_signal(signal.SIGQUIT if engine.name == "postgres" else signal.SIGKILL)
        _, said = run.communicate(timeout=60)
        if run.returncode != 4 or not said:
            count.fail("server dies in the answer", f"status {run.returncode}: {said!r}", words)
    except subprocess.TimeoutExpired:
        count.fail("server dies in the answer", "hangs", words)
    finally:
        engines.end_session(run.pid, engine.folder)
        run.wait()
    engines.stop(engine.servers[0], signal.SIGQUIT)
    words, run = ask(given, engine, ["--filter", "id > 3"])
    expect(count, "server is gone", words, run, 4)


# --------------------------------------------------------------------------------------- a million rows

def measured(words, environment, folder):
    """Runs a command to the end with its output thrown away: seconds; of its own, seconds of a processor and the peak of memory in MB."""
    start = time.monotonic()
    processor = 0.0
    run = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, cwd=folder)
    peak = 0
    while run.poll() is None:
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{run.pid}/status", encoding="utf-8") as file:
                peak = max([peak] + [int(line.split()[1]) for line in file if line.startswith("VmHWM")])
            with open(f"/proc/{run.pid}/stat", encoding="utf-8") as file:
                ticks = file.read().rpartition(")")[2].split()[11:13]
            processor = max(processor, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"))
        time.sleep(0.01)
    seconds = time.monotonic() - start
    if run.returncode:
        raise RuntimeError(f"status {run.returncode}: {run.stderr.read().decode(errors='replace')[:500]}")
    run.stderr.close()
    return seconds, processor, peak / 1024


def client_alone(engine, sql):
    """The client as `--via` runs it, on the same question: a command of sh."""
    if engine.name == "spark":
        sql = f"SELECT to_json(struct(*), map('ignoreNullFields', 'false')) AS j FROM ({sql})"
    added = {"sqlite": "-batch -bail -init /dev/null -readonly -csv -header", "duckdb": "-no-init -csv -header -nullvalue '' -readonly",
             "postgres": "--csv -X -q -v ON_ERROR_STOP=1", "clickhouse": "--format CSVWithNames",
             "spark": "-S --conf spark.sql.cli.print.header=true -f /dev/stdin"}[engine.dialect]
    program, _, rest = engine.via.partition(" ")
    return ["sh", "-c", f"echo {shlex.quote(sql + ';')} | {program} {added} {rest}"]


def million(given, engine, count):
    """A million rows by `--via` beside the client alone: at most 0.1 s and 60 MB more.

    A session of Spark takes a second more or less, so that only tabler's own seconds of a processor are limited there.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8") as file:
        tables.write_many(file, given.many)
        file.flush()
        os.chmod(file.name, 0o644)
        start = time.monotonic()
        engine.load_file(tables.many(), file.name)
        if engine.name == "spark":
            engine.make_pending()
        loaded = time.monotonic() - start
    table = tables.many()
    columns = ", ".join(tables.quoted(name, engine.dialect) for name in table.names)
    alone = client_alone(engine, f"SELECT {columns} FROM {engine.quoted_table(table)}")
    words = [given.tabler, "--via", engine.via, "--table", engine.table_name(table), "--types", table.type_option(), "--csv", "--quiet"]
    count.trials += 1
    try:
        pairs = [(measured(alone, engine.environment, engine.folder), None if given.alone else measured(words, engine.environment, engine.folder))
                 for _ in range(given.repeat)]
    except RuntimeError as error:
        count.fail("a million rows", str(error), words)
        return
    client = statistics.median(seconds for (seconds, _, _), _ in pairs)
    if given.alone:
        print(f"  {engine.name}: {given.many} rows: loaded in {loaded:.1f} s, client alone {client:.2f} s")
        return
    seconds, processor = (statistics.median(one[place] for _, one in pairs) for place in range(2))
    memory = max(memory for _, (_, _, memory) in pairs)
    print(f"  {engine.name}: {given.many} rows: loaded in {loaded:.1f} s; client alone {client:.2f} s, by --via {seconds:.2f} s, "
          f"of which tabler's processor {processor:.2f} s, its memory {memory:.0f} MB")
    is_slow = processor > 1 if engine.name == "spark" else seconds > client + 0.1 + given.slack
    if is_slow or memory > 60:
        count.fail("a million rows", f"{seconds - client:.2f} s and {memory:.0f} MB over the client alone", words)


def parquet(given, engine, count):
    """Ten million rows of Parquet, grouped: at most 0.15 s more than DuckDB with the same query."""
    path = engine.path("trips.parquet")
    engine.run(f"COPY (SELECT i AS id, 'city ' || (i * 7919 % 50) AS city, (i * 104729 % 8000) / 8 AS km FROM range({given.many * 10}) t(i)) "
               f"TO '{path}' (FORMAT parquet);")
    sql = f"SELECT city, COUNT(*) AS n, SUM(km) AS km FROM read_parquet('{path}') GROUP BY city ORDER BY city NULLS LAST;"
    alone = ["duckdb", "-no-init", "-csv", "-header", "-c", sql]
    words = [given.tabler, path, "--via", "duckdb", "--group-by", "city", "--aggregate", "n = count(), km = sum(km)", "--sort", "city", "--quiet"]
    count.trials += 1
    try:
        pairs = [(measured(alone, engine.environment, engine.folder), measured(words, engine.environment, engine.folder)) for _ in range(given.repeat)]
    except RuntimeError as error:
        count.fail("Parquet", str(error), words)
        return
    client, seconds = (statistics.median(one[place][0] for one in pairs) for place in (0, 1))
    print(f"  duckdb: Parquet of {given.many * 10} rows: client alone {client:.2f} s, by --via {seconds:.2f} s")
    if seconds > client + 0.15 + given.slack:
        count.fail("Parquet", f"{seconds - client:.2f} s over the client alone", words)


def main():
    given = engines.options(
        __doc__,
        ("--only", {"nargs": "*", "default": ["clients", "names", "signals", "server", "million", "parquet"],
                    "choices": ["clients", "names", "signals", "early", "server", "million", "parquet"],
                    "help": "what to try (default: all but a pipe that is closed before the first row)"}),
        ("--many", {"type": int, "default": 1_000_000, "help": "rows of the large table (default: %(default)s)"}),
        ("--repeat", {"type": int, "default": 3, "help": "runs of which the median counts (default: %(default)s)"}),
        ("--slack", {"type": float, "default": 0.0, "help": "seconds that a busy machine may take more (default: %(default)s)"}),
        ("--alone", {"action": "store_true", "help": "measure clients without tabler"}),
        ("--spark-million", {"action": "store_true", "help": "a million rows from Spark too: a minute or two"}))
    failed = misbehaving(given) if "clients" in given.only else 0
    for name in given.engine if set(given.only) - {"clients"} else []:
        count = engines.Count(name)
        with engines.ENGINES[name](given.venv) as engine:
            engine.load(tables.orders(given.seed, 20))
            if name == "spark":
                engine.make_pending()
            if "names" in given.only:
                unknown_names(given, engine, count)
                mistyped_file(given, engine, count)
            if "million" in given.only and (name != "spark" or given.spark_million):
                million(given, engine, count)
            if "parquet" in given.only and name == "duckdb":
                parquet(given, engine, count)
            # The library in a server cannot be stopped by its client, as the real program is: its signals prove nothing.
            if {"signals", "early"} & set(given.only) and name != "clickhouse":
                endless(engine)
            if "signals" in given.only and name != "clickhouse":
                for number, whole_group in [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGINT, True), (signal.SIGHUP, False)]:
                    interrupted(given, engine, count, number, whole_group)
                closed_pipe(given, engine, count)
            if "early" in given.only and name != "clickhouse":
                closed_early(given, engine, count)
            if "server" in given.only:
                if "signals" not in given.only and name in ("postgres", "clickhouse-old"):
                    endless(engine)
                server_gone(given, engine, count)
        failed += count.report()
    return 1 if failed else 0


if __name__ == "__main__":
    # Below `nohup` it is ignored, and so tabler would ignore it, as it should.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.exit(main())
