#!/usr/bin/env python3
"""Keeps what a release of Cumulus writes, for later versions to open.

    Scripts/keep-release.py PROGRAM [FOLDER]

Plays a little of everything into a new data folder with PROGRAM, packs that folder as FOLDER/VERSION.tar.gz, and writes
into FOLDER/VERSION.jsonl what PROGRAM then answers when it is asked for all of it. FOLDER is Tests/Fixtures/releases.
"""
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

# The API token that every development server takes.
DEVELOPMENT_TOKEN = "d0" * 32
CONTAINER = "c"


class Server:
    def __init__(self, program, data):
        self.process = subprocess.Popen(
            [program, "serve", "--dev", "--port", "0", "--data", data], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            found = re.search(r"serving (http://127\.0\.0\.1:\d+)", line)
            if found:
                self.origin = found[1]
                break

    def stop(self):
        self.process.terminate()
        assert self.process.wait(60) == 0

    def send(self, target, body=None, method=None):
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        target = target if target.startswith("http") else self.origin + target
        request = urllib.request.Request(target, data, method=method or ("GET" if data is None else "POST"))
        request.add_header("Content-Type", "application/octet-stream" if isinstance(body, bytes) else "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit("%s: %s" % (target, error.read().decode()))


class Person:
    def __init__(self, server, email):
        self.server, self.email = server, email
        answer = json.loads(server.send(
            "/auth/dev/session", {"container": CONTAINER, "environment": "development", "email": email}))
        self.name = answer["userRecordName"]
        self.query = "ckAPIToken=%s&ckWebAuthToken=%s" % (
            DEVELOPMENT_TOKEN, urllib.parse.quote(answer["ckWebAuthToken"], safe=""))

    def ask(self, path, body=None):
        mark = "&" if "?" in path else "?"
        return json.loads(self.server.send(path + mark + self.query, {} if body is None else body))

    def database(self, action, body):
        return self.ask("/database/1/%s/development/%s" % (CONTAINER, action), body)


def saving(name, kind="Note", zone=None, **fields):
    types = {"when": "TIMESTAMP", "bytes": "BYTES"}
    record = {"recordName": name, "recordType": kind, "fields": {
        key: {"value": value, **({"type": types[key]} if key in types else {})} for key, value in fields.items()}}
    return {"operationType": "create", "record": record}


def play(program, server, data):
    mei, ben = Person(server, "mei@example.com"), Person(server, "ben@example.com")
    upload = mei.database("private/assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "file"}]})
    receipt = json.loads(server.send(upload["tokens"][0]["url"], b"the bytes of a file\n" * 50))
    mei.database("private/records/modify", {"operations": [
        saving("full", text="Zug um Zug", count=-9007199254740993, number=0.1, when=1700000000000, bytes="AAEC",
               words=["rot", "blau"], counts=[1, 2, 3], place={"latitude": 47.37, "longitude": 8.54},
               file=receipt["singleFile"]),
        saving("other", text="Ein blauer Zug", count=2, number=2.5, place={"latitude": 46.95, "longitude": 7.45}),
        saving("gone", text="nicht mehr da"),
    ]})
    mei.database("private/records/modify", {"operations": [
        {"operationType": "forceDelete", "record": {"recordName": "gone"}}]})
    zone = {"zoneName": "Trip"}
    mei.database("private/zones/modify", {"operations": [
        {"operationType": "create", "zone": {"zoneID": zone}}, {"operationType": "create", "zone": {"zoneID": {"zoneName": "Old"}}}]})
    mei.database("private/zones/modify", {"operations": [
        {"operationType": "delete", "zone": {"zoneID": {"zoneName": "Old"}}}]})
    mei.database("private/records/modify", {"zoneID": zone, "operations": [
        saving("trip", "Trip", title="Alps"), saving("day", "Day", title="One")]})
    child = {"operationType": "forceUpdate", "record": {
        "recordName": "day", "recordType": "Day", "parent": {"recordName": "trip"},
        "fields": {"title": {"value": "Day one"},
                   "trip": {"value": {"recordName": "trip", "action": "DELETE_SELF"}}}}}
    mei.database("private/records/modify", {"zoneID": zone, "operations": [child]})
    tag = mei.database("private/records/lookup", {"zoneID": zone, "records": [{"recordName": "trip"}]}
                       )["records"][0]["recordChangeTag"]
    shared = mei.database("private/records/modify", {"zoneID": zone, "atomic": True, "operations": [
        {"operationType": "create", "record": {
            "recordName": "share", "recordType": "cloudkit.share",
            "fields": {"cloudkit.title": {"value": "Our trip"}},
            "forRecord": {"recordName": "trip", "recordChangeTag": tag}, "publicPermission": "READ_WRITE"}}]})
    guid = shared["records"][0]["shortGUID"]
    ben.database("public/records/accept", {"shortGUIDs": [{"value": guid}]})
    mei.database("public/records/modify", {"operations": [saving("post", "Post", text="for all to read")]})
    ben.database("private/subscriptions/modify", {"operations": [{"operationType": "create", "subscription": {
        "subscriptionID": "all", "subscriptionType": "zone", "zoneID": {"zoneName": "_defaultZone"}}}]})
    mei.database("private/subscriptions/modify", {"operations": [{"operationType": "create", "subscription": {
        "subscriptionID": "notes", "subscriptionType": "query", "query": {"recordType": "Note"},
        "firesOn": ["create", "update", "delete"]}}]})
    for person in (mei, ben):
        person.ask("/device/1/%s/development/tokens/create" % CONTAINER, {"apnsEnvironment": "development"})
    mei.database("private/records/modify", {"clientId": "another", "operations": [saving("late", text="told of")]})
    mei.ask("/keyvalue/1/%s/development/modify" % CONTAINER, {"set": {
        "theme": {"type": "STRING", "value": "dark"}, "size": {"type": "INT64", "value": 12}}})
    for command in (
        ["user", "create", "zoe@example.com"], ["container", "create", "d"],
        ["webhook", "add", "https://example.com/hook", "--container", CONTAINER, "--environment", "production"],
    ):
        subprocess.run([program, *command, "--data", data], check=True, stdout=subprocess.DEVNULL,
                       input="correct horse battery\n" * 2, text=True)
    return guid


def questions(guid):
    zone = {"zoneName": "Trip"}
    yield "mei", "private/records/lookup", {"records": [{"recordName": n} for n in ("full", "other", "gone", "late")]}
    for query in (
        {"sortBy": [{"fieldName": "count"}]},
        {"filterBy": [{"fieldName": "text", "comparator": "CONTAINS_ANY_TOKENS", "fieldValue": {"value": "blauer"}}]},
        {"filterBy": [{"fieldName": "words", "comparator": "LIST_CONTAINS", "fieldValue": {"value": "rot"}}]},
        {"sortBy": [{"fieldName": "place", "relativeLocation": {"latitude": 47, "longitude": 8}}]},
        {"sortBy": [{"systemFieldName": "recordName"}]},
    ):
        yield "mei", "private/records/query", {"query": {"recordType": "Note", **query}}
    yield "mei", "private/changes/zone", {"zones": [{"zoneID": {"zoneName": "_defaultZone"}}, {"zoneID": zone}]}
    yield "mei", "private/changes/database", {}
    yield "mei", "private/zones/list", {}
    yield "mei", "private/subscriptions/list", {}
    yield "mei", "public/records/resolve", {"shortGUIDs": [{"value": guid, "shouldFetchRootRecord": True}]}
    yield "ben", "shared/zones/list", {}
    yield "ben", "shared/changes/database", {}
    yield "ben", "shared/changes/zone", {"zones": [{"zoneID": {"zoneName": "Trip", "ownerRecordName": "MEI"}}]}
    yield "ben", "public/records/query", {"query": {"recordType": "Post"}}
    yield "mei", "public/users/caller", {}
    yield "mei", "/keyvalue/1/%s/development/values" % CONTAINER, {}


def main():
    program = os.path.abspath(sys.argv[1])
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "Tests/Fixtures/releases")
    os.makedirs(folder, exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    with tempfile.TemporaryDirectory() as scratch:
        data = os.path.join(scratch, "data")
        server = Server(program, data)
        guid = play(program, server, data)
        time.sleep(2)
        server.stop()
        with tarfile.open(os.path.join(folder, version + ".tar.gz"), "w:gz") as archive:
            archive.add(data, "data")
        server = Server(program, data)
        people = {name: Person(server, name + "@example.com") for name in ("mei", "ben")}
        with open(os.path.join(folder, version + ".jsonl"), "w") as lines:
            for who, path, body in questions(guid):
                body = json.loads(json.dumps(body).replace("MEI", people["mei"].name))
                if path.startswith("/"):
                    answer = people[who].ask(path, body)
                else:
                    answer = people[who].database(path, body)
                lines.write(json.dumps({"who": who, "path": path, "body": body, "answer": answer}, sort_keys=True) + "\n")
        server.stop()


main()
