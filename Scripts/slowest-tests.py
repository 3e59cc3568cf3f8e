#!/usr/bin/env python3
"""Lists the slowest of the tests whose events `swift test --event-stream-output-path` has written to a file.

A test's time is that of all its cases together, in seconds, while others ran beside them. A case begins when it is let
run: what it waits for behind others is not counted.
"""
import collections
import json
import sys

names, seconds = {}, collections.defaultdict(float)
with open(sys.argv[1], encoding="utf-8") as events:
    for line in events:
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test":
            names[payload["id"]] = payload.get("displayName", payload["name"])
            continue
        # The events do not say which case; all ends without all beginnings are the sum.
        sign = {"testCaseStarted": -1, "testCaseEnded": 1}.get(payload["kind"], 0)
        if sign:
            seconds[payload["testID"]] += sign * payload["instant"]["absolute"]

for test, time in sorted(seconds.items(), key=lambda entry: -entry[1])[: int(sys.argv[2])]:
    print(f"{time:8.1f}  {test.split('/')[0]}  {names.get(test, test)}")
