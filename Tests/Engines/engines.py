"""The engines that questions are asked of: each is started in a folder of its own and surely stopped.

Every engine listens on a socket in its folder or on the loopback, and knows the command for `--via`, the environment that
command needs, how to load a table, how to run SQL with its own client, which tables it holds, and what it is computing.
"""

import argparse
import concurrent.futures
import ctypes
import glob
import hashlib
import json
import os
import pwd
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

import tables

HERE = os.path.dirname(os.path.abspath(__file__))
# Stands for null where a client may be told how to write it: no text in the tables holds it.
NULL_WORD = "\x01null\x01"
# The column that stands after each answer if one client runs several queries.
MARK = "end_of_answer"


class Refused(Exception):
    """A client that ended with an error: its status and what it said."""

    def __init__(self, status, message):
        super().__init__(f"status {status}: {message.strip()}")
        self.status, self.message = status, message.strip()


class Answer:
    """What a client answered: the names of the columns, and rows of texts in which None is null."""

    def __init__(self, names, rows):
        self.names, self.rows = names, rows


# ------------------------------------------------------------------------------------------------- processes

def end_with_parent(number):
    """What a child does before it runs: ask the kernel for a signal when the parent is gone."""
    library = ctypes.CDLL(None, use_errno=True)
    return lambda: library.prctl(1, number)


def start(words, log, environment=None, folder=None, user=None, number=signal.SIGKILL):
    """Starts a server in a session of its own; it ends with this program, however that ends."""
    with open(log, "ab") as file:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment, cwd=folder,
                                start_new_session=True, preexec_fn=end_with_parent(number), user=user,
                                group=pwd.getpwnam(user).pw_gid if user else None, extra_groups=[] if user else None)


def stop(process, number=signal.SIGTERM, patience=10):
    """Stops a server: by a signal, and if it does not listen by KILL."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(number)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for(what, test, patience=30, process=None):
    """Waits until a test is true."""
    end = time.monotonic() + patience
    while not test():
        if process is not None and process.poll() is not None:
            raise RuntimeError(f"{what} ended with status {process.returncode}")
        if time.monotonic() > end:
            raise RuntimeError(f"{what} did not answer for {patience} s")
        time.sleep(0.05)


def processes_about(folder, but=()):
    """The processes whose arguments or environment name a folder, as pairs of number and arguments."""
    found = []
    for path in glob.glob("/proc/[0-9]*"):
        number = int(path[6:])
        if number == os.getpid() or number in but:
            continue
        try:
            with open(path + "/cmdline", "rb") as file:
                words = file.read()
            with open(path + "/environ", "rb") as file:
                around = file.read()
        except OSError:
            continue
        if words and folder.encode() in words + around:
            found.append((number, words.replace(b"\0", b" ").decode(errors="replace").strip()))
    return found


def end_session(leader, folder):
    """Ends what runs in a session and is about a folder: a client is asked first, so that its server hears of it."""
    for number in (signal.SIGINT, signal.SIGKILL):
        for process, _ in processes_about(folder):
            try:
                if os.getsid(process) == leader:
                    os.kill(process, number)
            except OSError:
                pass
        time.sleep(0.5 if number == signal.SIGINT else 0)


def free_ports(count):
    """Ports of the loopback that nothing listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


# ------------------------------------------------------------------------------------------------------- csv

FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\Z)')


def csv_records(text):
    """Records of csv; each cell is a pair of its text and whether it stood in quotes."""
    records, record, place = [], [], 0
    while place < len(text) or record:
        match = FIELD.match(text, place)
        if not match:
            raise ValueError(f"no csv at {text[place:place + 40]!r}")
        isQuoted = match[1] is not None
        record.append((match[1].replace('""', '"') if isQuoted else match[2], isQuoted))
        place = match.end()
        if match[3] != ",":
            records.append(record)
            record = []
    return records


def csv_answer(text, null):
    """An answer in csv with a header; null tells by text and quotes whether a cell is null."""
    records = csv_records(text)
    names = [text for text, _ in records[0]] if records else []
    return Answer(names, [[None if null(*cell) else cell[0] for cell in record] for record in records[1:]])


# --------------------------------------------------------------------------------------------------- engines

class Engine:
    """An engine; with `with` it is started, and stopped whatever happens."""

    name = dialect = ""
    # Whether its client, as tabler runs it, tells null from an empty text.
    tells_empty = True
    # Whether it has a type for truth.
    has_bool = True
    # Where the table of questions stands, if not under its own name.
    schema = None
    # Names of types that differ from those of the dialect.
    types = {}

    def __init__(self, venv, isDirect=False):
        """Without `isDirect` a client is started by the script that its package wraps around it, as users start it."""
        self.venv, self.isDirect, self.folder, self.loaded = venv, isDirect, None, []

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix=f"eng-{self.name}-")
        os.chmod(self.folder, 0o755)
        try:
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        """Starts what must run; nothing for engines in a file."""

    def stop(self):
        """Stops what runs, and clients that were left behind."""
        for number, _ in processes_about(self.folder):
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:
                pass

    @property
    def environment(self):
        """The environment for tabler and clients: the programs of the virtual environment come first."""
        path = os.pathsep.join([self.path("bin"), os.path.join(self.venv, "bin"), os.environ.get("PATH", "")])
        return {**os.environ, "PATH": path, "TZ": "UTC", "LC_ALL": "C.UTF-8"}

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def link(self, pattern):
        """Puts a program before the script of its name: that takes longer than most answers."""
        if self.isDirect:
            os.makedirs(self.path("bin"), exist_ok=True)
            for path in glob.glob(pattern):
                os.symlink(path, self.path("bin", os.path.basename(path)))

    def place_client(self, name):
        """Puts client.py before other programs, under the name of the client that it stands for; its path."""
        os.makedirs(self.path("bin"), exist_ok=True)
        program = self.path("bin", name)
        with open(os.path.join(HERE, "client.py"), encoding="utf-8") as file, open(program, "w", encoding="utf-8") as made:
            # The Python of a virtual environment takes longer to start.
            made.write(f"#!{os.path.realpath(sys.executable)} -IS\n{file.read()}")
        os.chmod(program, 0o755)
        return program

    def table_name(self, table):
        """The name of a table as `--table` takes it."""
        return f"{self.schema}.{table.name}" if self.schema else table.name

    def quoted_table(self, table):
        """The name of a table in SQL."""
        parts = [self.schema, table.name] if self.schema else [table.name]
        return ".".join(tables.quoted(part, self.dialect) for part in parts)

    def client(self, words, sql, timeout=120):
        """Runs a client on SQL; its output as text. An error is `Refused`."""
        run = subprocess.run(words, input=sql.encode(), capture_output=True, env=self.environment, cwd=self.folder,
                             timeout=timeout)
        if run.returncode != 0:
            raise Refused(run.returncode, run.stderr.decode(errors="replace"))
        return run.stdout.decode(errors="replace")

    def execute(self, sql):
        """Runs statements that answer nothing."""
        self.run(sql)

    def run_many(self, queries):
        """Runs queries one by one: for each its answer, or `Refused`."""
        results = []
        for sql in queries:
            try:
                results.append(self.run(sql))
            except Refused as error:
                results.append(error)
        return results

    def run_together(self, queries):
        """Runs queries in one client where its output tells their answers apart, and else one by one."""
        return self.run_many(queries)

    def computing(self):
        """What is being computed: for engines without a server, the clients that still run."""
        return [words for _, words in processes_about(self.folder)]


class ScriptEngine(Engine):
    """An engine whose client runs a script: `output` is what it prints for one, `answer` makes rows of what it prints for a query."""

    def run(self, sql):
        return self.answer(self.output(sql))

    def run_together(self, queries):
        """Runs queries in one client: a row with its number stands after each answer."""
        try:
            text = self.output("".join(f"{sql}\nSELECT {number} AS {MARK};\n" for number, sql in enumerate(queries)))
        except Refused:
            # One by one they show which of them it was.
            answers = self.run_many(queries)
            if any(isinstance(answer, Refused) for answer in answers):
                return answers
            raise
        parts = re.split(rf"^{MARK}\r?\n(\d+)\r?\n", text, flags=re.M)
        found = dict(zip(map(int, parts[1::2]), parts[0::2]))
        return [self.answer(found[number]) if number in found else Refused(0, "no answer") for number in range(len(queries))]


class SQLite(ScriptEngine):
    name, dialect = "sqlite", "sqlite"

    @property
    def via(self):
        return f"sqlite3 {shlex.quote(self.path('shop.db'))}"

    def connection(self):
        return sqlite3.connect(self.path("shop.db"))

    def load(self, table):
        with self.connection() as connection:
            connection.execute(table.create("sqlite", self.quoted_table(table)))
            marks = ", ".join("?" * len(table.columns))
            rows = [[sqlite_value(value) for value in row] for row in table.rows]
            connection.executemany(f"INSERT INTO {self.quoted_table(table)} VALUES ({marks})", rows)
        connection.close()
        self.loaded.append(table)

    def load_file(self, table, path):
        with self.connection() as connection:
            connection.execute(table.create("sqlite", self.quoted_table(table)))
        connection.close()
        self.client(["sqlite3", "-batch", "-bail", "-init", "/dev/null", self.path("shop.db")],
                    f'.import --csv {shlex.quote(path)} {table.name}\n')

    def output(self, sql):
        return self.client(["sqlite3", "-batch", "-bail", "-init", "/dev/null", "-csv", "-header", self.path("shop.db")], sql)

    def answer(self, text):
        return csv_answer(text, lambda text, isQuoted: text == "" and not isQuoted)

    def tables(self):
        return [row[0] for row in self.run("SELECT name FROM sqlite_master WHERE type = 'table';").rows]


def sqlite_value(value):
    """A value as SQLite stores it: truth as 1 or 0, decimals by affinity, dates as text."""
    if value is None or isinstance(value, (str, int)):
        return int(value) if isinstance(value, bool) else value
    text = tables.cell(value)
    return float(text) if isinstance(value, tables.fractions.Fraction) else text


class DuckDB(ScriptEngine):
    name, dialect = "duckdb", "duckdb"

    def start(self):
        self.link(os.path.join(self.venv, "lib", "python3*", "site-packages", "duckdb_cli", "duckdb"))

    @property
    def via(self):
        return f"duckdb {shlex.quote(self.path('shop.db'))}"

    def load(self, table):
        path = self.path(table.name + ".jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(table.json_lines())
        columns = ", ".join("'" + name.replace("'", "''") + f"': '{tables.TYPE_NAMES[kind]['duckdb']}'"
                            for name, kind in table.columns)
        quoted_path = path.replace("'", "''")
        self.execute(f"{table.create('duckdb', self.quoted_table(table))};\n"
                     f"INSERT INTO {self.quoted_table(table)} SELECT * FROM "
                     f"read_json('{quoted_path}', format = 'newline_delimited', columns = {{{columns}}});")
        self.loaded.append(table)

    def load_file(self, table, path):
        self.execute(f"{table.create('duckdb', self.quoted_table(table))};\n"
                     f"COPY {self.quoted_table(table)} FROM '{path}' (FORMAT csv, HEADER false);")

    def output(self, sql):
        return self.client(["duckdb", "-no-init", "-bail", "-csv", "-header", "-nullvalue", NULL_WORD, self.path("shop.db")], sql)

    def answer(self, text):
        return csv_answer(text, lambda text, _: text == NULL_WORD)

    def tables(self):
        return [row[0] for row in self.run("SELECT table_name FROM duckdb_tables();").rows]


class Postgres(ScriptEngine):
    """A server of its own on a socket, whose texts are ordered as in German."""

    name, dialect = "postgres", "postgres"

    def __init__(self, venv, isDirect=False):
        super().__init__(venv, isDirect)
        self.servers = []

    def start(self):
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        self.link(os.path.join(self.programs, "psql"))
        self.socket = self.server("first")

    def server(self, name):
        """Starts a server and waits for it; the folder of its socket."""
        user = "postgres" if os.geteuid() == 0 else None
        folder = self.path(name)
        os.mkdir(folder)
        if user:
            shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
        words = [os.path.join(self.programs, "initdb"), "-D", folder + "/data", "-A", "trust", "-U", "postgres", "-E", "UTF8",
                 "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=de", "--no-sync"]
        log = self.path(name + ".log")
        process = start(words, log, user=user, folder="/")
        if process.wait(60) != 0:
            raise RuntimeError(open(log, encoding="utf-8", errors="replace").read())
        words = [os.path.join(self.programs, "postgres"), "-D", folder + "/data", "-k", folder]
        for setting in ["listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "timezone=UTC"]:
            words += ["-c", setting]
        process = start(words, log, user=user, folder="/", number=signal.SIGQUIT)
        self.servers.append(process)
        isReady = [os.path.join(self.programs, "pg_isready"), "-q", "-h", folder, "-U", "postgres"]
        wait_for(name, lambda: subprocess.run(isReady, check=False).returncode == 0, process=process)
        return folder

    def stop(self):
        for process in self.servers:
            stop(process, signal.SIGINT)
        super().stop()

    @property
    def via(self):
        return f"psql -h {shlex.quote(self.socket)} -U postgres -d postgres"

    def psql(self, sql, folder=None, more=()):
        words = ["psql", "-h", folder or self.socket, "-U", "postgres", "-d", "postgres", "--csv", "-X", "-q", "-v",
                 "ON_ERROR_STOP=1", "-P", "null=" + NULL_WORD, *more]
        return self.client(words, sql)

    def load(self, table):
        self.psql(table.create("postgres", self.quoted_table(table)) + ";\n"
                  + f"COPY {self.quoted_table(table)} FROM STDIN;\n"
                  + "".join(map(copy_line, table.rows)) + "\\.\n" + f"ANALYZE {self.quoted_table(table)};\n")
        self.loaded.append(table)

    def load_file(self, table, path):
        self.psql(table.create("postgres", self.quoted_table(table)) + ";\n"
                  + f"\\copy {self.quoted_table(table)} FROM '{path}' (FORMAT csv)\n"
                  + f"ANALYZE {self.quoted_table(table)};\n")

    def output(self, sql):
        return self.psql(sql)

    def answer(self, text):
        return csv_answer(text, lambda text, _: text == NULL_WORD)

    def tables(self):
        return [row[0] for row in self.run("SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'f') AND "
                                           "relnamespace NOT IN ('pg_catalog'::regnamespace, "
                                           "'information_schema'::regnamespace);").rows]

    def computing(self):
        """The statements that any server is at work on, but for the one that asks."""
        asked = ("SELECT query FROM pg_stat_activity WHERE state <> 'idle' AND backend_type = 'client backend' "
                 "AND pid <> pg_backend_pid();")
        rows = []
        for process, folder in zip(self.servers, self.sockets()):
            if process.poll() is None:
                rows += csv_answer(self.psql(asked, folder), lambda *_: False).rows
        return [row[0] for row in rows]

    def sockets(self):
        return [self.socket]


def copy_line(row):
    """A row for COPY in its form of text: in csv a line of `\\.` inside a text would end the data."""
    cells = []
    for value in row:
        text = tables.cell(value)
        if text is not None:
            text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        cells.append("\\N" if text is None else text)
    return "\t".join(cells) + "\n"


class Shards(Postgres):
    """Two servers: the table is partitioned over both by postgres_fdw, in a schema of its own."""

    name = "shards"
    schema = "shop"

    def start(self):
        super().start()
        self.other = self.server("second")
        self.psql("CREATE EXTENSION postgres_fdw;\nCREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw OPTIONS "
                  f"(host '{self.other}', dbname 'postgres', async_capable 'true');\n"
                  "CREATE USER MAPPING FOR postgres SERVER other OPTIONS (user 'postgres');\nCREATE SCHEMA shop;\n")

    def sockets(self):
        return [self.socket, self.other]

    def divide(self, table):
        """Makes a table of two parts, one of them on the other server."""
        name = self.quoted_table(table)
        self.psql(table.create("postgres", tables.quoted(table.name, "postgres")) + ";\n", self.other)
        self.psql(table.create("postgres", name, tail=" PARTITION BY HASH (id)") + ";\n"
                  f'CREATE TABLE shop."{table.name} 0" PARTITION OF {name} FOR VALUES WITH (MODULUS 2, REMAINDER 0);\n'
                  f'CREATE FOREIGN TABLE shop."{table.name} 1" PARTITION OF {name} FOR VALUES WITH (MODULUS 2, REMAINDER 1) '
                  f"SERVER other OPTIONS (schema_name 'public', table_name '{table.name}', "
                  "batch_size '1000', fetch_size '10000');\n")

    def load(self, table):
        self.divide(table)
        self.spread(table, f"COPY {self.STAGE} FROM STDIN;\n" + "".join(map(copy_line, table.rows)) + "\\.\n")
        self.loaded.append(table)

    def load_file(self, table, path):
        self.divide(table)
        self.spread(table, f"\\copy {self.STAGE} FROM '{path}' (FORMAT csv)\n")

    STAGE = "shop.stage"

    def spread(self, table, copy):
        """Loads rows into a table beside, and from there into both parts: COPY sends them to the other server one by one."""
        name = self.quoted_table(table)
        self.psql(f"CREATE UNLOGGED TABLE {self.STAGE} (LIKE {name});\n{copy}INSERT INTO {name} SELECT * FROM {self.STAGE};\n"
                  f"DROP TABLE {self.STAGE};\nANALYZE {name};\n")


class OldClickHouse(Engine):
    """Two servers of the ClickHouse in the packages of the system; a table is Distributed over both."""

    name, dialect = "clickhouse-old", "clickhouse"
    has_bool = False
    types = {"bool": "UInt8"}

    def __init__(self, venv, isDirect=False):
        super().__init__(venv, isDirect)
        self.servers = []

    def start(self):
        self.ports = free_ports(6)
        for number in (0, 1):
            self.server(number)
        for number, process in enumerate(self.servers):
            asked = [*self.words(number), "-q", "SELECT 1"]
            wait_for("clickhouse-server", lambda: subprocess.run(asked, capture_output=True, check=False).returncode == 0,
                     process=process)

    def server(self, number):
        folder = self.path(str(number))
        os.makedirs(folder + "/tmp")
        shards = "".join(f"<shard><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>"
                         for port in self.ports[0:2])
        with open(folder + "/users.xml", "w", encoding="utf-8") as file:
            file.write("<yandex><profiles><default><max_memory_usage>2000000000</max_memory_usage>"
                       "<load_balancing>random</load_balancing></default></profiles><users><default><password></password>"
                       "<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>"
                       "</users><quotas><default></default></quotas></yandex>")
        with open(folder + "/config.xml", "w", encoding="utf-8") as file:
            file.write(f"<yandex><logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/err</errorlog></logger>"
                       f"<http_port>{self.ports[2 + number]}</http_port><tcp_port>{self.ports[number]}</tcp_port>"
                       f"<interserver_http_port>{self.ports[4 + number]}</interserver_http_port>"
                       f"<listen_host>127.0.0.1</listen_host><path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>"
                       f"<users_config>{folder}/users.xml</users_config><default_profile>default</default_profile>"
                       "<default_database>default</default_database><timezone>UTC</timezone>"
                       "<mark_cache_size>100000000</mark_cache_size>"
                       f"<remote_servers><two>{shards}</two></remote_servers></yandex>")
        self.servers.append(start(["clickhouse-server", f"--config-file={folder}/config.xml"], folder + "/out",
                                  self.environment, folder))

    def stop(self):
        for process in self.servers:
            stop(process, patience=5)
        super().stop()

    def words(self, number=0):
        return ["clickhouse-client", "--host", "127.0.0.1", "--port", str(self.ports[number])]

    @property
    def via(self):
        return shlex.join(self.words())

    def execute(self, sql, number=0, data=""):
        """Runs a statement, on one server, with data for it."""
        self.client([*self.words(number), "--query", sql], data)

    def divide(self, table):
        """Makes the part of each server and the table over both, on each."""
        part = tables.quoted(table.name + "_part", self.dialect)
        for number in (0, 1):
            self.execute(table.create("clickhouse", part, "Nullable({})", " ENGINE = MergeTree ORDER BY id", self.types), number)
            self.execute(table.create("clickhouse", self.quoted_table(table), "Nullable({})",
                                      f" ENGINE = Distributed(two, default, {part}, id)", self.types), number)
        return part

    def load(self, table):
        part = self.divide(table)
        for number in (0, 1):
            rows = [[int(value) if isinstance(value, bool) else value for value in row] for row in table.rows[number::2]]
            self.execute(f"INSERT INTO {part} FORMAT JSONEachRow", number,
                         tables.Table(table.name, table.columns, rows).json_lines())
        self.loaded.append(table)

    def load_file(self, table, path):
        part = self.divide(table)
        for number in (0, 1):
            with open(path, encoding="utf-8") as file:
                lines = "".join(line for place, line in enumerate(file) if place % 2 == number)
            self.execute(f"INSERT INTO {part} FORMAT CSV", number, lines)

    def run(self, sql):
        text = self.client([*self.words(), "--format", "CSVWithNames"], sql)
        return csv_answer(text, lambda text, isQuoted: text == "\\N" and not isQuoted)

    def tables(self):
        return [row[0] for row in self.run("SELECT name FROM system.tables WHERE database = 'default'").rows]

    def computing(self):
        """The statements that a server is at work on, but for the one that asks."""
        found = []
        for number, process in enumerate(self.servers):
            if process.poll() is None:
                text = self.client([*self.words(number), "--format", "CSVWithNames"],
                                   "SELECT query FROM system.processes WHERE query NOT LIKE '%system.processes%'")
                found += [row[0] for row in csv_answer(text, lambda *_: False).rows]
        return found


class ClickHouse(Engine):
    """The ClickHouse of today, in a server around the library chdb; `clickhouse-local` is client.py before that server."""

    name, dialect = "clickhouse", "clickhouse"
    process = None

    def start(self):
        program = self.place_client("clickhouse-local")
        words = [os.path.join(self.venv, "bin", "python"), os.path.join(HERE, "clickhouse_library.py"), self.path("shop"),
                 program + ".socket"]
        self.process = start(words, self.path("log"), self.environment, self.folder)
        wait_for("chdb", lambda: os.path.exists(program + ".socket"), process=self.process)

    def stop(self):
        stop(self.process, patience=3)
        super().stop()

    def words(self):
        return ["clickhouse-local", "--path", self.path("shop")]

    @property
    def via(self):
        return shlex.join(self.words())

    def execute(self, sql):
        self.client(self.words(), sql)

    def load(self, table):
        path = self.path(table.name + ".jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(table.json_lines())
        made = table.create("clickhouse", self.quoted_table(table), "Nullable({})", " ENGINE = MergeTree ORDER BY id")
        # One column of a kind that tables there often have.
        self.execute(made.replace("`order` Nullable(String)", "`order` LowCardinality(Nullable(String))"))
        self.execute(f"INSERT INTO {self.quoted_table(table)} FROM INFILE '{path}' FORMAT JSONEachRow")
        self.loaded.append(table)

    def load_file(self, table, path):
        self.execute(table.create("clickhouse", self.quoted_table(table), "Nullable({})", " ENGINE = MergeTree ORDER BY id"))
        self.execute(f"INSERT INTO {self.quoted_table(table)} FROM INFILE '{path}' FORMAT CSV")

    def run(self, sql):
        text = self.client([*self.words(), "--format", "CSVWithNames"], sql)
        return csv_answer(text, lambda text, isQuoted: text == "\\N" and not isQuoted)

    def tables(self):
        return [row[0] for row in self.run("SELECT name FROM system.tables WHERE database = currentDatabase()").rows]

    def computing(self):
        return [words for number, words in processes_about(self.folder) if number != self.process.pid]


class Spark(Engine):
    """Spark on a cluster of two workers that lives as long as a client; tables stand in a warehouse in the folder."""

    name, dialect = "spark", "spark"
    MASTER = "local-cluster[2,1,1024]"
    pending = ""
    # Where a client tells what its cluster is at; 0 for nowhere.
    port = 0
    home = None

    def start(self):
        self.home = self.prepared_home()
        with open(self.path("log4j2.properties"), "w", encoding="utf-8") as file:
            file.write("rootLogger.level = error\nrootLogger.appenderRef.stderr.ref = stderr\nappender.stderr.type = Console\n"
                       "appender.stderr.name = stderr\nappender.stderr.target = SYSTEM_ERR\n"
                       "appender.stderr.layout.type = PatternLayout\nappender.stderr.layout.pattern = %m%n\n")
        archive = os.path.join(self.home, "classes.jsa")
        if not os.path.exists(archive):
            self.make(archive)
        self.write_settings(f"-XX:SharedArchiveFile={archive}")

    def prepared_home(self):
        """The folder of a Spark in the virtual environment for all sessions, without what starts with each and is not asked for:
        machine learning.

        Its folder of settings is empty: Java keeps an archive of classes only for a class path without files.
        """
        packages = glob.glob(os.path.join(self.venv, "lib", "python3*", "site-packages", "pyspark"))
        if not packages:
            raise RuntimeError("no pyspark in the virtual environment")
        with open(os.path.join(packages[0], "version.py"), "rb") as file:
            version = file.read() + subprocess.run(["java", "-version"], capture_output=True, check=True).stderr
        home = os.path.join(self.venv, "share", "spark-" + hashlib.sha256(version).hexdigest()[:16])
        for name in ("conf", "jars"):
            os.makedirs(os.path.join(home, name), exist_ok=True)
        for path in [os.path.join(packages[0], "bin"), *glob.glob(os.path.join(packages[0], "jars", "*.jar"))]:
            place = os.path.join(home, os.path.relpath(path, packages[0]))
            if not os.path.lexists(place) and "spark-mllib" not in path:
                os.symlink(path, place)
        return home

    def write_settings(self, *given):
        """Writes the settings of sessions; more options for the Java of the client and of the executors may be given."""
        # What Java says of the archive would stand in the answer.
        java = " ".join(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xlog:disable", *given])
        settings = {
            "spark.sql.warehouse.dir": self.path("warehouse"),
            "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={self.path('metastore')};create=true",
            "spark.sql.session.timeZone": "UTC",
            # Tables of a few hundred rows: what is compiled or divided for them costs more than it saves.
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.adaptive.enabled": "false",
            "spark.locality.wait": "0",
            "spark.ui.enabled": "false",
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": f"-Dderby.system.home={self.path('derby')} -Dderby.system.durability=test "
                                             f"-Dlog4j2.configurationFile=file:{self.path('log4j2.properties')} {java}",
            "spark.executor.extraJavaOptions": java,
            "spark.local.dir": self.path("scratch"),
        }
        with open(self.path("settings"), "w", encoding="utf-8") as file:
            file.writelines(f"{name} {value}\n" for name, value in settings.items())

    def make(self, archive):
        """Makes the archive: a session that loads a table and asks a few things keeps its classes; others start in half the time."""
        made = f"{archive}-{os.getpid()}"
        self.write_settings(f"-XX:ArchiveClassesAtExit={made}")
        self.load(tables.orders(count=20, name="kept"))
        self.script("SELECT to_json(struct(*)) FROM (SELECT city, COUNT(*), SUM(price), AVG(w), MAX(at) FROM kept WHERE name LIKE "
                    "'%a%' OR day > DATE '2000-01-01' GROUP BY city ORDER BY city DESC NULLS LAST LIMIT 5);\nDESCRIBE kept;\n"
                    "SELECT CASE WHEN ok THEN UPPER(name) ELSE CONCAT(order, 'x') END, TRY_CAST(code AS DOUBLE) FROM kept;\n"
                    "DROP TABLE kept;")
        self.loaded.clear()
        os.replace(made, archive)

    def stop(self):
        super().stop()
        if self.home:
            # What executors wrote.
            shutil.rmtree(os.path.join(self.home, "work"), ignore_errors=True)

    @property
    def environment(self):
        return {**super().environment, "SPARK_HOME": self.home, "SPARK_CONF_DIR": os.path.join(self.home, "conf"),
                "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": self.path("scratch"), "TMPDIR": self.folder}

    def words(self, master):
        return ["spark-sql", "--properties-file", self.path("settings"), "--master", master]

    @property
    def via(self):
        watched = ["--conf", "spark.ui.enabled=true", "--conf", f"spark.ui.port={self.port}"] if self.port else []
        return shlex.join([*self.words(self.MASTER), *watched])

    def watch(self):
        """Lets the clients from now on tell what their cluster is at, on a port of the loopback."""
        self.port = free_ports(1)[0]

    def stages(self):
        """The stages that executors are at work on, as the client tells; none before it knows, and without a client."""
        address = f"http://127.0.0.1:{self.port}/api/v1/applications"
        try:
            with urllib.request.urlopen(address, timeout=10) as file:
                names = [application["id"] for application in json.load(file)]
            found = []
            for name in names:
                with urllib.request.urlopen(f"{address}/{name}/stages?status=active", timeout=10) as file:
                    found += [stage["name"] for stage in json.load(file) if stage["numActiveTasks"]]
        except (OSError, ValueError):
            return []
        return found

    def load(self, table):
        """Notes how a table of the rows is made: a session costs many seconds, so the next one makes it."""
        path = self.path(table.name + ".jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(table.json_lines())
        columns = ", ".join(f"{tables.quoted(name, 'spark')} {tables.TYPE_NAMES[kind]['spark']}" for name, kind in table.columns)
        self.pending += (f"CREATE TEMPORARY VIEW loaded_{len(self.pending)} ({columns}) USING json OPTIONS (path '{path}', "
                         "timestampFormat 'yyyy-MM-dd HH:mm:ss', mode 'FAILFAST');\n"
                         f"CREATE TABLE {self.quoted_table(table)} USING parquet AS SELECT * FROM loaded_{len(self.pending)};\n")
        self.loaded.append(table)

    def load_file(self, table, path):
        columns = ", ".join(f"{tables.quoted(name, 'spark')} {tables.TYPE_NAMES[kind]['spark']}" for name, kind in table.columns)
        self.pending += (f"CREATE TEMPORARY VIEW loaded_{len(self.pending)} ({columns}) USING csv OPTIONS (path '{path}', "
                         "mode 'FAILFAST');\n"
                         f"CREATE TABLE {self.quoted_table(table)} USING parquet AS SELECT * FROM loaded_{len(self.pending)};\n")

    def make_pending(self):
        """Makes the tables that were noted, in a session without the cluster."""
        if self.pending:
            self.script("")

    def end_session(self):
        """Ends what is held for clients: nothing, each has a session of its own."""

    def script(self, text, master="local[1]", more=(), timeout=400):
        """Runs a script in one session, without the cluster unless another master is named."""
        path = self.path("script.sql")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.pending + text)
        self.pending = ""
        words = [*self.words(master), "-S", "--conf", "spark.sql.variable.substitute=false", *more, "-f", path]
        return self.client(words, "", timeout)

    def run(self, sql):
        result = self.run_many([sql])[0]
        if isinstance(result, Refused):
            raise result
        return result

    def run_many(self, queries):
        """Runs queries in one session; an error does not end it. The title of an answer tells which query it is of."""
        parts = [f"SELECT to_json(struct(*), map('ignoreNullFields', 'false')) AS query_{number} FROM (\n"
                 f"{sql.strip().rstrip(';')}\n);\n" for number, sql in enumerate(queries)]
        path = self.path("batch.sql")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.pending + "".join(parts))
        self.pending = ""
        words = [*self.words(self.MASTER), "-S", "--conf", "spark.sql.variable.substitute=false", "--conf",
                 "spark.sql.cli.print.header=true", "--hiveconf", "hive.cli.errors.ignore=true", "-f", path]
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=self.environment, cwd=self.folder,
                             timeout=120 + 5 * len(queries))
        return spark_answers(run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace"), len(queries))

    def tables(self):
        return [row.split("\t")[-1] for row in self.script("SHOW TABLES;").split("\n") if row]

    def computing(self):
        """The processes of clients and executors, and the stages that they are at."""
        return [words for _, words in processes_about(self.folder)] + (self.stages() if self.port else [])


class HeldSpark(Spark):
    """One session of Spark on the cluster that answers everything, batches and clients.

    `spark-sql` is client.py until the session is ended: from then on it is the real one, which starts a cluster of its own.
    """

    process = client_path = None

    def start(self):
        super().start()
        self.client_path = self.place_client("spark-sql")
        given = ["--properties-file", self.path("settings"), "--master", self.MASTER, "pyspark-shell"]
        environment = {**self.environment, "PYSPARK_SUBMIT_ARGS": shlex.join(given)}
        words = [os.path.join(self.venv, "bin", "python"), os.path.join(HERE, "spark_library.py"), self.client_path + ".socket"]
        self.process = start(words, self.path("log"), environment, self.folder)

    def ready(self):
        """Waits for the session; tables that were noted are made in it."""
        wait_for("spark", lambda: os.path.exists(self.client_path + ".socket"), 240, self.process)
        pending, self.pending = self.pending, ""
        for statement in pending.split(";\n")[:-1]:
            self.held(statement)

    def held(self, sql):
        """The output of a query as a client gets it."""
        words = ["spark-sql", "-S", "--conf", "spark.sql.variable.substitute=false", "-f", "/dev/stdin"]
        return self.client(words, sql)

    def make_pending(self):
        self.ready()

    def run_many(self, queries):
        self.ready()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(self.answer, queries))

    def answer(self, sql):
        """What one query answers."""
        try:
            output = self.held("SELECT to_json(struct(*), map('ignoreNullFields', 'false')) AS query FROM (\n"
                               f"{sql.strip().rstrip(';')}\n)")
        except Refused as refusal:
            return refusal
        return spark_answer(output)

    def end_session(self):
        """Ends the session: its database of tables is free for another."""
        stop(self.process, patience=30)
        wait_for("the end of the session", lambda: not processes_about(self.folder), 30)
        os.remove(self.client_path)

    def stop(self):
        stop(self.process)
        super().stop()


def spark_answers(output, errors, count):
    """The answers of a batch: rows stand under a title; a query without one failed.

    The messages of failed queries stand on stderr in the same order; each begins with a name in brackets.
    """
    parts = re.split(r"^query_(\d+)\n", output, flags=re.M)
    results = [None] * count
    for number, body in zip(parts[1::2], parts[2::2]):
        results[int(number)] = spark_answer(body)
    messages = re.findall(r"^(\[[A-Z_.0-9]+\](?:.|\n)*?)(?=^Time taken|^\[[A-Z_.0-9]+\]|\Z)", errors, re.M)
    if None in results and len(messages) != results.count(None):
        messages = [errors[-1000:]] * results.count(None)
    return [result or Refused(1, messages.pop(0)) for result in results]


def spark_answer(lines):
    """An answer of rows as JSON, one a line."""
    rows = [json.loads(line, object_pairs_hook=list, parse_int=str, parse_float=str) for line in lines.split("\n") if line]
    names = [name for name, _ in rows[0]] if rows else []
    return Answer(names, [[spark_cell(value) for _, value in row] for row in rows])


def spark_cell(value):
    """A value of to_json as text: truth as words, a list or an object as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


ENGINES = {engine.name: engine for engine in [SQLite, DuckDB, Postgres, Shards, ClickHouse, OldClickHouse, Spark]}


# --------------------------------------------------------------------------------- shared reports and options

class Count:
    """How many trials there were, and those that failed, with a message and a command."""

    def __init__(self, name):
        self.name, self.trials, self.refused, self.failures, self.begin = name, 0, 0, [], time.monotonic()

    def fail(self, what, message, words):
        self.failures.append(f"  {self.name}: {what}: {message}\n    {shlex.join(words)}")

    def report(self):
        for failure in self.failures[:20]:
            print(failure[:3000])
        if len(self.failures) > 20:
            print(f"  {self.name}: and {len(self.failures) - 20} more")
        print(f"{self.name}: {self.trials} trials, {self.refused} refused, {len(self.failures)} failed; "
              f"{time.monotonic() - self.begin:.1f} s", flush=True)
        return len(self.failures)


def options(about, *more):
    """The arguments that the programs share; `more` are pairs of a name and what argparse takes."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--venv", default=os.environ.get("ENGINES_VENV"), help="virtual environment with the engines of PyPI")
    parser.add_argument("--engine", nargs="+", metavar="NAME", choices=list(ENGINES), default=list(ENGINES),
                        help=f"engines to ask (default: {' '.join(ENGINES)})")
    parser.add_argument("--tabler", default=os.environ.get("TABLER", ".build/release/tabler"), help="the program")
    parser.add_argument("--seed", default="engines", help="where random numbers begin (default: %(default)s)")
    for name, settings in more:
        parser.add_argument(name, **settings)
    given = parser.parse_args()
    given.tabler = os.path.abspath(given.tabler)
    if not given.venv:
        parser.error("--venv FOLDER is missing")
    given.venv = os.path.abspath(given.venv)
    # An end by TERM is an end by an exception, so that every engine is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # A shell starts what it does not wait for without these, and so would be tabler and the clients.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    return given
