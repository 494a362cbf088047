"""What servers around libraries share: they answer the requests of client.py on a socket."""

import os
import socketserver


class Failure(Exception):
    """What a client ends with: its status and what it says."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def serve(path, answer):
    """Answers until a signal; `answer` makes the output of the arguments and the query, or raises `Failure`."""

    class Request(socketserver.StreamRequestHandler):
        def handle(self):
            length = int(self.rfile.readline())
            words = self.rfile.read(length).decode(errors="surrogateescape").split("\0")
            try:
                output = b"0\n" + answer(words, self.rfile.read().decode(errors="surrogateescape"))
            except Failure as failure:
                output = f"{failure.status}\n{failure}\n".encode(errors="replace")
            try:
                self.wfile.write(output)
            except BrokenPipeError:
                pass

    class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
        daemon_threads = True
        request_queue_size = 20

    with Server(path + "-", Request) as server:
        # Whoever sees the socket may connect.
        os.rename(path + "-", path)
        server.serve_forever()
