"""A server around the library chdb: keeps a database in a folder and answers on a socket beside it.

A request is a line of JSON with the format, and then the query up to the end; the answer is the status and a line end, and
then the output or the message.
"""

import json
import os
import re
import socketserver
import sys

from chdb.session import Session

FOLDER = sys.argv[1]
SETTINGS = "SET output_format_csv_crlf_end_of_line = 0"


class Request(socketserver.StreamRequestHandler):
    def handle(self):
        wanted = json.loads(self.rfile.readline())
        sql = self.rfile.read().decode(errors="surrogateescape")
        try:
            output = answer(sql, wanted["format"])
            self.wfile.write(b"0\n" + output)
        except BrokenPipeError:
            pass
        except Exception as error:
            message = str(error)
            code = re.search(r"Code: (\d+)", message)
            self.wfile.write(f"{int(code[1]) % 256 if code else 1}\n{message}\n".encode(errors="replace"))


def answer(sql, form):
    """The output of a query; the library prints no header for no rows, the client of ClickHouse does."""
    output = session.query(sql, form).bytes()
    if not output and form == "CSVWithNames" and re.match(r"\s*(--[^\n]*\n\s*)*(SELECT|WITH|DESCRIBE|SHOW)\b", sql, re.I):
        described = session.query(f"DESCRIBE TABLE (\n{sql.strip().rstrip(';')}\n)", "JSONCompactColumns").bytes()
        names = json.loads(described)[0]
        output = (",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n").encode()
    return output


session = Session(FOLDER)
path = FOLDER + ".socket"
with socketserver.UnixStreamServer(path + "-", Request) as server:
    os.rename(path + "-", path)
    server.serve_forever()
