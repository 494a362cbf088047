"""A client that stands before a server of a test: hands its arguments and what is on stdin over, prints what comes back.

The socket is named like the program. A request is the length of the arguments in a line, the arguments with a NUL between
them, and then the query up to the end; the answer is the status in a line, and then the output or the message. It stands
for a program that starts fast, so it imports only what is built into Python.
"""

import _socket
import sys


def main():
    words = "\0".join(sys.argv[1:]).encode(errors="surrogateescape")
    connection = _socket.socket(_socket.AF_UNIX)
    try:
        connection.connect(sys.argv[0] + ".socket")
    except OSError as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 210
    connection.sendall(b"%d\n" % len(words) + words + sys.stdin.buffer.read())
    connection.shutdown(_socket.SHUT_WR)
    answer = bytearray()
    while b"\n" not in answer and (block := connection.recv(65536)):
        answer += block
    status, _, block = bytes(answer).partition(b"\n")
    output = sys.stderr.buffer if status != b"0" else sys.stdout.buffer
    while block:
        output.write(block)
        block = connection.recv(65536)
    output.flush()
    return int(status or b"1")


sys.exit(main())
