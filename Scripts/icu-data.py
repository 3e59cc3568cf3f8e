#!/usr/bin/env python3
"""Keeps the part of ICU's data that Cumulus uses: what no language has a say in, and English.

    Scripts/icu-data.py ALL.dat KEPT.dat

Left out are other languages and the order of words in any, dictionaries of scripts without spaces, breaks of lines, converters
of old character sets, transliteration and names of characters. A package of ICU's data is a header, a table of names and places, the names, and the items.
"""
import re
import struct
import sys

ALIGNMENT = 16


def is_kept(name):
    folders, (stem, kind) = name.split("/")[1:-1], name.split("/")[-1].rsplit(".", 1)
    if kind in ("cnv", "spp", "cfu", "dict") or stem == "unames" or {"translit", "coll"} & set(folders):
        return False
    if kind == "brk" and stem.startswith("line"):
        return False
    is_language = re.fullmatch(r"[a-z]{2,3}(_.*)?", stem)
    return not is_language or stem in ("en", "res_index") or stem.startswith("en_")


def read(data):
    header = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("this is not a package of ICU's data")
    count = struct.unpack_from("<I", data, header)[0]
    table = [struct.unpack_from("<II", data, header + 4 + 8 * place) for place in range(count)]
    ends = [start for _, start in table[1:]] + [len(data) - header]
    items = []
    for (name, start), end in zip(table, ends):
        name = data[header + name:data.index(b"\0", header + name)].decode()
        items.append((name, data[header + start:header + end]))
    return data[:header], items


def write(header, items):
    names, places, body = bytearray(), [], bytearray()
    table = 4 + 8 * len(items)
    for name, _ in items:
        places.append(table + len(names))
        names += name.encode() + b"\0"
    names += bytes(-(table + len(names)) % ALIGNMENT)
    starts = []
    for _, item in items:
        starts.append(table + len(names) + len(body))
        body += item + bytes(-len(item) % ALIGNMENT)
    pairs = b"".join(struct.pack("<II", *pair) for pair in zip(places, starts))
    return header + struct.pack("<I", len(items)) + pairs + names + body


def main():
    with open(sys.argv[1], "rb") as file:
        header, items = read(file.read())
    kept = [item for item in items if is_kept(item[0])]
    with open(sys.argv[2], "wb") as file:
        file.write(write(header, kept))


main()
