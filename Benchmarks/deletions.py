#!/usr/bin/env python3
"""Measures others' writes beside one account's large deletions, on a server that runs with --dev on the loopback.

    deletions.py ORIGIN RECORDS [star|chain|tree|zone|share ...]

A share is ended, and its records stay. Prints for each shape the worst, p99 and median of other accounts' writes in
milliseconds: without and beside it.
"""
import http.client
import json
import sys
import threading
import time
import urllib.parse

CONTAINER, TOKEN = "iCloud.com.example.deletions", "d0" * 32
origin = urllib.parse.urlsplit(sys.argv[1])
if origin.hostname not in ("127.0.0.1", "localhost"):
    sys.exit("deletions.py asks the loopback only")
count, shapes = int(sys.argv[2]), sys.argv[3:] or ["star", "tree", "zone"]


class User:
    def __init__(self, email):
        self.wire = http.client.HTTPConnection(origin.hostname, origin.port, timeout=300)
        said = self.send("/auth/dev/session", {"container": CONTAINER, "environment": "development", "email": email})
        web = urllib.parse.quote(said["ckWebAuthToken"], safe="")
        self.query = f"ckAPIToken={TOKEN}&ckWebAuthToken={web}"

    def send(self, path, body):
        self.wire.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return json.loads(self.wire.getresponse().read())

    def post(self, path, body):
        return self.send(f"/database/1/{CONTAINER}/development/private/{path}?{self.query}", body)

    def zone(self, name, kind="create"):
        return self.post("zones/modify", {"operations": [{"operationType": kind, "zone": {"zoneID": {"zoneName": name}}}]})

    def accept(self, guid):
        path = f"/database/1/{CONTAINER}/development/public/records/accept?{self.query}"
        return self.send(path, {"shortGUIDs": [{"value": guid}]})

    def modify(self, zone, operations, atomic=False):
        said = self.post("records/modify", {"zoneID": {"zoneName": zone}, "atomic": atomic, "operations": operations})
        for record in said.get("records", [said]):
            if "serverErrorCode" in record:
                sys.exit(json.dumps(record))
        return said["records"]


def save(name, on=None, under=None):
    fields = {"title": {"value": f"record {name}"}}
    if on:
        fields["on"] = {"value": {"recordName": on, "action": "DELETE_SELF"}, "type": "REFERENCE"}
    record = {"recordType": "Item", "recordName": name, "fields": fields}
    if under:
        record["parent"] = {"recordName": under}
    return {"operationType": "create", "record": record}


def target(shape, number):
    """The record that a record hangs on: at most 750 hang on each."""
    return {"star": (number - 1) // 700, "chain": number - 1, "tree": (number - 1) // 3}.get(shape, 0)


def share(user, zone):
    """A share of what hangs under r0, with a member."""
    tag = user.modify(zone, [save("r0")])[0]["recordChangeTag"]
    made = user.modify(zone, [{"operationType": "create", "record": {
        "recordType": "cloudkit.share", "recordName": "share", "forRecord": {"recordName": "r0", "recordChangeTag": tag},
        "publicPermission": "READ_ONLY", "fields": {"cloudkit.title": {"value": "All"}}}}], atomic=True)
    others.users[0].accept(made[0]["shortGUID"])
    for start in range(1, count, 200):
        user.modify(zone, [save(f"r{n}", under=f"r{(n - 1) // 3}") for n in range(start, min(start + 200, count))])


def fill(user, zone, shape):
    user.zone(zone)
    if shape == "share":
        return share(user, zone)
    for start in range(0, count, 200):
        user.modify(zone, [
            save(f"r{n}", f"r{target(shape, n)}" if n and shape != "zone" else None)
            for n in range(start, min(start + 200, count))])


class Others:
    """Four accounts that save a record every 20 ms each."""

    def __init__(self):
        self.users = [User(f"other{n}@example.com") for n in range(4)]
        for user in self.users:
            user.zone("Own")

    def measure(self, until):
        times, done = [], threading.Event()

        def write(user, number):
            while not done.is_set():
                number += 1
                began = time.perf_counter()
                user.modify("Own", [{"operationType": "forceUpdate", "record": {
                    "recordType": "Item", "recordName": "own", "fields": {"title": {"value": str(number)}}}}])
                times.append(time.perf_counter() - began)
                time.sleep(0.02)

        threads = [threading.Thread(target=write, args=(user, n)) for n, user in enumerate(self.users)]
        for thread in threads:
            thread.start()
        until()
        done.set()
        for thread in threads:
            thread.join()
        times.sort()
        return [1000 * times[min(int(len(times) * part), len(times) - 1)] for part in (0.5, 0.99, 1)]


others, owner = Others(), User("owner@example.com")
for shape in shapes:
    fill(owner, shape, shape)
    time.sleep(2)
    alone = others.measure(lambda: time.sleep(5))

    def delete():
        began = time.perf_counter()
        if shape == "zone":
            owner.zone(shape, "delete")
        elif shape == "share":
            owner.modify(shape, [{"operationType": "forceDelete", "record": {"recordName": "share"}}])
        else:
            owner.modify(shape, [{"operationType": "forceDelete", "record": {"recordName": "r0"}}])
        print(f"{shape}: answered after {time.perf_counter() - began:.3f} s", flush=True)
        last = {"zoneID": {"zoneName": shape}, "records": [{"recordName": f"r{count - 1}"}]}
        while shape not in ("zone", "share") and "fields" in owner.post("records/lookup", last)["records"][0]:
            time.sleep(0.1)
        time.sleep(max(0, 5 - (time.perf_counter() - began)))
        print(f"{shape}: measured for {time.perf_counter() - began:.1f} s", flush=True)

    beside = others.measure(delete)
    for name, one, two in zip(("p50", "p99", "worst"), alone, beside):
        print(f"{shape} of {count}: {name} {one:.1f} ms without, {two:.1f} ms beside, {two / one:.2f} times", flush=True)
