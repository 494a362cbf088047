"""A server around one session of Spark, for a client that is named `spark-sql`: not the real program, but a real cluster.

It takes one query on `-f /dev/stdin` and prints what `spark-sql -S` does: a line of titles if they are wanted, and rows of
texts between tabs. Settings given by `--conf` are made in the session; `--master` and `--properties-file` are those that the
server was started with.
"""

import signal
import sys

from pyspark.sql import SparkSession

import service


def answer(words, sql):
    """The output of a client that was started with these arguments."""
    header, settings, given = False, [], iter(words)
    for word in given:
        value = "" if word == "-S" else next(given, "")
        if word == "--conf":
            name, _, setting = value.partition("=")
            header = header or (name, setting) == ("spark.sql.cli.print.header", "true")
            settings.append((name, setting))
        elif word not in ("-S", "--master", "--properties-file") and (word, value) != ("-f", "/dev/stdin"):
            raise service.Failure(1, f"spark-sql: unknown argument {word} {value}")
    try:
        for name, setting in settings:
            session.conf.set(name, setting)
        frame = session.sql(sql)
        rows = [frame.columns] if header and frame.columns else []
        rows += frame.collect()
    except Exception as error:
        raise service.Failure(1, str(error)) from error
    return "".join("\t".join("NULL" if cell is None else cell for cell in row) + "\n" for row in rows).encode(errors="surrogateescape")


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
# The cluster and the settings come by PYSPARK_SUBMIT_ARGS.
session = SparkSession.builder.enableHiveSupport().getOrCreate()
try:
    service.serve(sys.argv[1], answer)
finally:
    session.stop()
