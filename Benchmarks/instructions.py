#!/usr/bin/env python3
"""Counts the instructions that a request takes, by callgrind: the same on any machine, however busy.

    Benchmarks/instructions.py PROGRAM [--requests 2000] [--json]

Each kind of request is sent over one connection, one after the other. The counts are those of user space: what the kernel
does for a read or a write is not in them. What the idle server takes meanwhile for its timers is taken off.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

CONTAINER = "iCloud.org.example.bench"
TOKEN = "d0" * 32
NOTE = "A note of a hundred characters, as people write them about things they keep in a list for later on."
RECORDS, PER_BUCKET, POLLS = 1000, 100, 200

# More than one user has otherwise.
SETTINGS = {"CUMULUS_LIMIT_PUSH_TOKENS_PER_USER": "1000"}


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def send(self, method, target, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + data)

    def answer(self):
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        while len(self.buffer) < length:
            self.more()
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        if not head.startswith(b"HTTP/1.1 200"):
            sys.exit(f"{head.decode()}\n{body.decode()}")
        return body

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            sys.exit("the server closed a connection")
        self.buffer += data

    def ask(self, method, target, body=None):
        self.send(method, target, body)
        return self.answer()


class Server:
    """The program under callgrind, over a data folder of its own."""

    def __init__(self, program, folder):
        self.folder = folder
        stripped = os.path.join(folder, "cumulus")
        # callgrind would read the debug information first, for longer than all else takes.
        if subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=False).returncode != 0:
            shutil.copy(program, stripped)
        self.output = os.path.join(folder, "counts")
        with open(os.path.join(folder, "log"), "wb") as log:
            self.process = subprocess.Popen(
                ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={self.output}", stripped, "serve",
                 "--dev", "--port", "0", "--data", os.path.join(folder, "data")],
                stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **SETTINGS})
        for line in self.process.stdout:
            found = re.search(r"Cumulus is serving http://[^:]+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                return
        sys.exit(f"{program} did not start:\n{open(os.path.join(folder, 'log')).read()}")

    def control(self, option):
        subprocess.run(["callgrind_control", option, str(self.process.pid)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def count(self, work):
        """Instructions that the server takes while `work` is done."""
        before = {name for name in os.listdir(self.folder) if name.startswith("counts.")}
        self.control("--zero")
        work()
        self.control("--dump")
        for name in sorted(set(os.listdir(self.folder)) - before):
            if not name.startswith("counts."):
                continue
            with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as dump:
                for line in dump:
                    if line.startswith(("totals:", "summary:")):
                        return int(line.split()[1])
        sys.exit("callgrind wrote no counts")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def creating(number):
    return {"operationType": "forceReplace", "record": {
        "recordType": "Item", "recordName": f"item-{number}", "fields": {
            "title": {"value": f"Item number {number}", "type": "STRING"},
            "number": {"value": number, "type": "INT64"},
            "bucket": {"value": number // PER_BUCKET, "type": "INT64"},
            "price": {"value": number % 1000 + 0.5, "type": "DOUBLE"},
            "note": {"value": NOTE, "type": "STRING"}}}}


class Bench:
    def __init__(self, server, requests):
        self.server, self.requests = server, requests
        self.connection = Connection(server.port)
        session = json.loads(self.connection.ask("POST", "/auth/dev/session", {
            "container": CONTAINER, "environment": "development", "email": "bench@example.com"}))
        token = session["ckWebAuthToken"].replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
        # A server that has just begun has more to do than one that is idle.
        time.sleep(2)
        self.idle = server.count(lambda: time.sleep(3)) / 3
        self.query = f"ckAPIToken={TOKEN}&ckWebAuthToken={token}"
        self.next = RECORDS
        for start in range(0, RECORDS, 200):
            self.modify([creating(n) for n in range(start, min(start + 200, RECORDS))])

    def target(self, endpoint):
        return f"/database/1/{CONTAINER}/development/{endpoint}?{self.query}"

    def modify(self, operations):
        return self.connection.ask("POST", self.target("private/records/modify"), {"operations": operations})

    def health(self):
        self.connection.ask("GET", "/health")

    def lookup(self):
        self.next += 1
        self.connection.ask("POST", self.target("private/records/lookup"),
                            {"records": [{"recordName": f"item-{self.next % RECORDS}"}]})

    def find(self):
        self.next += 1
        self.connection.ask("POST", self.target("private/records/query"), {
            "query": {"recordType": "Item", "filterBy": [{
                "fieldName": "number", "comparator": "EQUALS",
                "fieldValue": {"value": self.next % RECORDS, "type": "INT64"}}]}, "resultsLimit": 100})

    def create(self):
        self.next += 1
        self.modify([creating(self.next)])

    def measure(self, work, requests):
        for _ in range(200):
            work()

        def run():
            for _ in range(requests):
                work()
        return self.count(run) // requests

    def count(self, work):
        """Instructions of `work` beyond those of an idle server in the same time."""
        times = []

        def timed():
            begin = time.monotonic()
            work()
            times.append(time.monotonic() - begin)
        return max(0, int(self.server.count(timed) - self.idle * times[0]))

    def wake_up(self):
        """One poll of many that one change wakes, with what is done for it afterwards."""
        self.connection.ask("POST", self.target("private/subscriptions/modify"), {"operations": [{
            "operationType": "create", "subscription": {
                "subscriptionType": "query", "subscriptionID": "bench", "firesOn": ["create"],
                "query": {"recordType": "Item"}}}]})
        polls = []
        for number in range(POLLS):
            made = json.loads(self.connection.ask(
                "POST", self.target("private/tokens/create"),
                {"apnsEnvironment": "development", "clientId": f"device-{number}"}))
            polls.append((Connection(self.server.port), re.sub(r"^https?://[^/]+", "", made["webcourierURL"])))

        def poll():
            for connection, target in polls:
                connection.send("GET", target)

        def rest():
            # The server has nothing to tell when an answer was taken out of its queue.
            time.sleep(3)

        def wake():
            self.create()
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda poll: poll[0].answer(), polls))
            rest()
        for _ in range(2):
            poll()
            rest()
            total = self.count(wake)
        return total // POLLS


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--requests", type=int, default=2000)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    folder = tempfile.mkdtemp()
    server = Server(options.program, folder)
    try:
        bench = Bench(server, options.requests)
        counts = {
            "health": bench.measure(bench.health, options.requests),
            "lookup": bench.measure(bench.lookup, options.requests),
        }
        for _ in range(20):
            bench.find()
        # Queries make the index they need, beside the answers.
        time.sleep(3)
        counts["query"] = bench.measure(bench.find, options.requests)
        counts["create"] = bench.measure(bench.create, options.requests)
        counts["wakeUp"] = bench.wake_up()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps(counts))
    else:
        for name, count in counts.items():
            print(f"{name:8} {count:>9,}")


main()
