#!/usr/bin/env python3
"""texts.py [TAG]: checks the texts of the pages for translators: `make texts`.

Lists what a file of Public/texts lacks or has too much beside en.json: keys, placeholders, plural forms; the keys that no
page uses; the texts that are long for a button. With a tag it checks this language only. When it starts, a
server checks the same of an operator's files, except for the lengths.
"""
import json, pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = ROOT / "Public/texts"
LETTERS = re.compile(r"\{([A-Za-z]+)\}")
ENDINGS = ["", ".title", ".text"]
LONGEST_BUTTON = 40


def table(tag):
    def unique(pairs):
        keys = [key for key, _ in pairs]
        for key in {key for key in keys if keys.count(key) > 1}:
            problems.append(f"{tag}.json: '{key}' is there twice")
        return dict(pairs)
    return json.loads((TEXTS / f"{tag}.json").read_text(), object_pairs_hook=unique)


def forms(value):
    return value.values() if isinstance(value, dict) else [value]


def names(value):
    return max((set(LETTERS.findall(text)) for text in forms(value)), key=len)


def rules():
    """The plural rules of the program: for each language its categories, and those of a single number."""
    source = (ROOT / "Sources/CloudHTTP/Languages/PluralRule.swift").read_text()
    languages = {rule: found.split() for rule, found in re.findall(r'\.(\w+): "([a-z ]+)"', source)}

    def block(name):
        start = source.index(f"var {name}")
        found = {}
        for cases, values in re.findall(r"case ([.\w, ]+): \[([.\w, ]*)\]", source[start:source.index("\n    }\n", start)]):
            for case in re.findall(r"\w+", cases):
                found[case] = set(re.findall(r"\w+", values))
        return found

    categories, single = block("categories"), block("ofOneNumber")
    return {tag: (categories[rule], single.get(rule, set())) for rule, tags in languages.items() for tag in tags}


def check(tag, english):
    own = table(tag)
    categories, single = RULES.get(tag.split("-")[0], (None, None))
    if categories is None:
        problems.append(f"{tag}.json: the plural rule of '{tag}' is missing in PluralRule.swift")
        return
    for key in english:
        if key not in own:
            problems.append(f"{tag}.json: '{key}' is missing")
    for key, value in own.items():
        if key not in english:
            problems.append(f"{tag}.json: '{key}' is no key of en.json")
            continue
        if key.startswith("@"):
            continue
        if isinstance(value, dict) != isinstance(english[key], dict):
            problems.append(f"{tag}.json: '{key}' must {'' if isinstance(english[key], dict) else 'not '}have plural forms")
            continue
        wanted = names(english[key])
        if not isinstance(value, dict):
            if set(LETTERS.findall(value)) != wanted:
                problems.append(f"{tag}.json: '{key}' has other placeholders than {sorted(wanted)}")
        else:
            for category in sorted(categories - set(value)):
                problems.append(f"{tag}.json: '{key}' lacks the plural form '{category}'")
            for category, text in value.items():
                if category not in categories | {"other"}:
                    problems.append(f"{tag}.json: '{key}' has the plural form '{category}', which the language does not have")
                found = set(LETTERS.findall(text))
                if found != wanted | {"count"} and not (category in single and found == wanted - {"count"}):
                    problems.append(f"{tag}.json: '{key}' has other placeholders in the form '{category}'")
        for text in forms(value):
            if key.endswith(".button") and len(text) > LONGEST_BUTTON:
                problems.append(f"{tag}.json: '{key}' has {len(text)} characters, long for a button")


def check_use(english):
    sources = [path.read_text() for path in ROOT.glob("Sources/**/*.swift")]
    templates = [path.read_text() for path in ROOT.glob("Public/templates/*.mustache")]
    used = set()
    for text in sources:
        for literal in re.findall(r'"([A-Za-z0-9.@]+)"', text):
            used.update(literal + ending for ending in ENDINGS)
    for text in templates:
        used.update(re.findall(r"\[\[([A-Za-z0-9.]+)", text))
        for keys in re.findall(r"\[\[@json ([^\]]+)\]\]", text):
            used.update(keys.split())
    for key in english:
        if key not in used and not key.startswith(("@", "reason.")):
            problems.append(f"en.json: no page uses '{key}'")


problems = []
RULES = rules()
english = table("en")
tags = sys.argv[1:] or sorted(path.stem for path in TEXTS.glob("*.json"))
for tag in tags:
    check(tag, english)
if not sys.argv[1:]:
    check_use(english)
    for tag in tags:
        if not table(tag).get("@checked"):
            print(f"{tag}.json: no native speaker has checked it", file=sys.stderr)
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
