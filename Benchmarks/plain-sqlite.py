"""The bench's records into a file of SQLite alone, 200 to a commit that waits for the disk: PATH SECONDS.

Prints records per second.
"""

import os
import sqlite3
import sys
import time

path, seconds = sys.argv[1], float(sys.argv[2])
for name in (path, path + "-wal", path + "-shm"):
    if os.path.exists(name):
        os.remove(name)
database = sqlite3.connect(path, isolation_level=None)
database.executescript(
    """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE records (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT, number INTEGER, bucket INTEGER, price REAL, note TEXT
    );
    CREATE INDEX records_number ON records (number);
    CREATE INDEX records_bucket ON records (bucket);
    """
)
if database.execute("PRAGMA synchronous").fetchone() != (2,):
    sys.exit("SQLite does not wait for the disk")
note = "a note, " * 12
insert = "INSERT INTO records (name, title, number, bucket, price, note) VALUES (?, ?, ?, ?, ?, ?)"
count = 0
begun = time.monotonic()
while time.monotonic() - begun < seconds:
    rows = [
        (f"plain-{n}", f"Item number {n}", n, n % 1000, n % 1000 + 0.5, note) for n in range(count, count + 200)
    ]
    database.execute("BEGIN IMMEDIATE")
    database.executemany(insert, rows)
    database.execute("COMMIT")
    count += 200
print(round(count / (time.monotonic() - begun)))
