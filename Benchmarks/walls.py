#!/usr/bin/env python3
"""Asks for too much, on the loopback only. One attack a run; rows/walls.sh measures what it does to the server.

    walls.py seed|lookup|changes|nonreaders|strangers|numbers|writes|hangups HOST:PORT CONTAINER CREDENTIALS
"""
import json
import socket
import sys
import threading
import time

attack, address, container, credentials = sys.argv[1:5]
host, port = address.rsplit(":", 1)
if host != "127.0.0.1":
    sys.exit("walls.py attacks 127.0.0.1 only")


def connect(room=None):
    wire = socket.socket()
    if room:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    wire.settimeout(120)
    wire.connect((host, int(port)))
    return wire


def head(endpoint, length, query=credentials):
    return (
        f"POST /database/1/{container}/development/private/{endpoint}?{query} HTTP/1.1\r\n"
        f"Host: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def send(endpoint, body, room=None):
    wire = connect(room)
    wire.sendall(head(endpoint, len(body)) + body)
    return wire


def read(wire):
    taken = bytearray()
    while True:
        part = wire.recv(1 << 20)
        if not part:
            return bytes(taken)
        taken += part


def ask(endpoint, body):
    return read(send(endpoint, body.encode()))


def at_once(count, work):
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


zone = {"zoneID": {"zoneName": "Walls"}}
lookup = json.dumps({**zone, "records": [{"recordName": "large"}] * 200})
changes = json.dumps({"zones": [zone] * 200})
# Nothing leads to a text that no index is for, so every record is looked at.
scan = json.dumps(
    {
        **zone,
        "query": {
            "recordType": "Row",
            "filterBy": [{"fieldName": "text", "comparator": "NOT_EQUALS", "fieldValue": {"value": "row"}}],
        },
    }
)


def seed():
    create = {"operationType": "create", "zone": zone}
    ask("zones/modify", json.dumps({"operations": [create]}))
    text = {"value": "x" * 1_000_000, "type": "BYTES"}
    large = {"recordName": "large", "recordType": "Large", "fields": {"text": text}}
    ask("records/modify", json.dumps({**zone, "operations": [{"operationType": "forceReplace", "record": large}]}))
    for first in range(0, 100_000, 200):
        rows = [
            {
                "operationType": "forceReplace",
                "record": {"recordName": f"r{n}", "recordType": "Row", "fields": {"text": {"value": "row"}}},
            }
            for n in range(first, first + 200)
        ]
        answer = ask("records/modify", json.dumps({**zone, "operations": rows}))
        if b"200 OK" not in answer[:20]:
            sys.exit(answer[:400].decode())


def nonreaders():
    wires = [send("records/lookup", lookup.encode(), room=4096) for _ in range(6)]
    time.sleep(3)
    for wire in wires:
        wire.close()


def strangers():
    wires = []
    for _ in range(60):
        wire = connect()
        wire.sendall(head("records/modify", 16_000_000, query="ckAPIToken=wrong"))
        wires.append(wire)
    part = b" " * (1 << 20)
    for wire in wires:
        for _ in range(15):
            try:
                wire.sendall(part)
            except OSError:
                break
    for wire in wires:
        wire.close()


def numbers():
    for element in ["1,", "[1],", '{"":1},']:
        body = '{"records": [' + element * (15_900_000 // len(element)) + "1]}"
        ask("records/lookup", body)


def writes():
    """Twenty-four writes of 13 MB at once: most are told to come back."""
    part = {"value": "x" * 900_000, "type": "BYTES"}

    def write(number):
        rows = [
            {
                "operationType": "forceReplace",
                "record": {"recordName": f"w{number}-{n}", "recordType": "Large", "fields": {"text": part}},
            }
            for n in range(14)
        ]
        body = json.dumps({**zone, "operations": rows}).encode()
        wire = connect()
        try:
            wire.sendall(head("records/modify", len(body)) + body)
            read(wire)
        except OSError:
            pass

    numbers = iter(range(24))
    at_once(24, lambda: write(next(numbers)))


def hangups():
    """Forty queries, whose clients leave at once, again and again for some seconds."""
    until = time.monotonic() + 6
    while time.monotonic() < until:
        wires = [send("records/query", scan.encode()) for _ in range(40)]
        time.sleep(0.2)
        for wire in wires:
            wire.close()


attacks = {
    "seed": seed,
    "lookup": lambda: at_once(20, lambda: ask("records/lookup", lookup)),
    "changes": lambda: at_once(20, lambda: ask("changes/zone", changes)),
    "nonreaders": nonreaders,
    "strangers": strangers,
    "numbers": numbers,
    "writes": writes,
    "hangups": hangups,
}
attacks[attack]()
