#!/usr/bin/env python3
"""Writes a manual page of what `cumulus --experimental-dump-help` prints on standard input.

manual-page.py VERSION
"""

import json
import sys


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def paragraphs(text):
    return "\n.PP\n".join(escaped(" ".join(part.split())) for part in text.split("\n\n") if part.strip())


def label(argument):
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        return f"\\fI{escaped(value)}\\fR"
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
    text = ", ".join(f"\\fB{escaped(name)}\\fR" for name in names)
    return text if argument["kind"] == "flag" else f"{text} \\fI{escaped(value)}\\fR"


def shown(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def arguments(command):
    return [each for each in shown(command.get("arguments")) if each.get("valueName") not in ("help", "version")]


def options(command):
    for argument in arguments(command):
        yield ".TP"
        yield label(argument)
        text = argument.get("abstract", "")
        if argument.get("defaultValue"):
            text += f" (default: {argument['defaultValue']})"
        yield escaped(text) or "\\&"


def commands(command, path):
    for inner in shown(command.get("subcommands")):
        if inner["commandName"] == "help":
            continue
        words = path + [inner["commandName"]]
        if inner.get("subcommands"):
            yield from commands(inner, words)
            continue
        positional = [label(each) for each in arguments(inner) if each["kind"] == "positional"]
        yield " ".join([".SS"] + [f"\\fB{escaped(word)}\\fR" for word in words] + positional)
        yield escaped(inner.get("abstract", ""))
        if inner.get("discussion"):
            yield ".PP"
            yield paragraphs(inner["discussion"])
        yield from options(inner)


root = json.load(sys.stdin)["command"]
lines = [
    f'.TH CUMULUS 1 "" "cumulus {sys.argv[1]}" "User commands"',
    ".SH NAME",
    f"cumulus \\- {escaped(root['abstract'])}",
    ".SH SYNOPSIS",
    "\\fBcumulus\\fR \\fIcommand\\fR [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    paragraphs(root.get("discussion", "")),
    ".SH COMMANDS",
    *commands(root, ["cumulus"]),
    ".SH FILES AND VARIABLES",
    "Every setting has a variable, and a name in the file that \\fB\\-\\-config\\fR names: \\fBcumulus settings\\fR lists them.",
    ".SH EXIT STATUS",
    "0 when the command did what it was asked, 1 when it did not, 64 when it was not understood.",
    ".SH SEE ALSO",
    "/usr/share/doc/cumulus/docs, and \\fBcumulus\\fR \\fIcommand\\fR \\fB\\-\\-help\\fR.",
]
print("\n".join(lines))
