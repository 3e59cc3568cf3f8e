#!/usr/bin/env python3
"""Tells what a release of Cumulus holds of others', by Packaging/licenses.tsv and Packaging/dependencies.txt.

    Scripts/third-party.py licenses               their licences, one after the other
    Scripts/third-party.py sbom VERSION PROGRAM   an SPDX 2.3 document in JSON; SOURCE_DATE_EPOCH is its time
    Scripts/third-party.py check                  fails for a package without a licence
"""
import datetime
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECKOUTS = os.environ.get("CHECKOUTS", os.path.join(ROOT, ".build/checkouts"))


def lines(path):
    with open(os.path.join(ROOT, path)) as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def debian_version(package):
    return output("dpkg-query", "--show", "--showformat=${Version}", package)


def swift_folder():
    return os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift"))))


class Component:
    """A line of Packaging/licenses.tsv."""

    def __init__(self, line, versions):
        fields = line.split("\t")
        self.kind, self.name, self.license, self.source = fields[:4]
        self.place = fields[4] if len(fields) > 4 else None
        self.versions = versions

    @property
    def version(self):
        if self.kind == "package":
            return self.versions[self.name]
        if self.place == "debian":
            return debian_version(self.name)
        if self.place == "swift":
            return re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
        if self.name == "photoswipe":
            with open(os.path.join(ROOT, "Public/static/photoswipe.esm.min.js")) as file:
                return re.search(r"PhotoSwipe (\d+\.\d+\.\d+)", file.read(300))[1]
        # ICU is a part of Swift's Foundation.
        return None

    def files(self):
        """The files of its licence and notices."""
        if self.kind == "package":
            folders = [path for path in glob.glob(CHECKOUTS + "/*") if os.path.basename(path).lower() == self.name]
            if not folders:
                sys.exit(f"the sources of {self.name} are not in {CHECKOUTS}; 'make build' fetches them")
            folder = folders[0]
            return sorted(glob.glob(folder + "/LICENSE*") + glob.glob(folder + "/NOTICE*"))
        if self.place == "debian":
            return ["/usr/share/doc/%s/copyright" % self.name]
        if self.place == "swift":
            return [os.path.join(swift_folder(), "share/swift/LICENSE.txt")]
        return [os.path.join(ROOT, self.place)]


def dependencies():
    return dict(line.split(" ") for line in lines("Packaging/dependencies.txt"))


def components():
    versions = dependencies()
    found = [Component(line, versions) for line in lines("Packaging/licenses.tsv")]
    return [one for one in found if one.kind in ("library", "file") or one.kind == "package" and one.name in versions]


def check():
    named = {line.split("\t")[1] for line in lines("Packaging/licenses.tsv") if line.split("\t")[0] in ("package", "test")}
    unnamed = set(dependencies()) - named
    for name in sorted(unnamed):
        print("Packaging/licenses.tsv does not name the package " + name, file=sys.stderr)
    sys.exit(bool(unnamed))


def licenses():
    print("Cumulus holds the work of others, under these licences. Its own is in the file LICENSE.")
    for component in components():
        print("\n%s\n%s: %s\n%s\n" % ("=" * 80, component.name, component.license, component.source))
        for path in component.files():
            with open(path, encoding="utf-8") as file:
                print(file.read().rstrip() + "\n")


def package(name, version, license, source, **more):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name,
        **({"versionInfo": version} if version else {}), "downloadLocation": source, "filesAnalyzed": False,
        "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION", **more,
    }


def reference(component):
    """The component's name for those who look for known faults."""
    if component.kind == "package":
        path = component.source.removeprefix("https://")
        return "pkg:swift/%s@%s" % (path, component.version)
    if component.place == "debian":
        return "pkg:deb/debian/%s@%s" % (component.name, component.version)
    return None


def sbom(version, program):
    with open(program, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = [package(
        "cumulus", version, "Apache-2.0", "NOASSERTION", primaryPackagePurpose="APPLICATION",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-cumulus"}]
    for component in components():
        locator = reference(component)
        more = {"externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]} if locator else {}
        made = package(component.name, component.version, component.license, component.source, **more)
        packages.append(made)
        kind = "CONTAINS" if component.kind == "file" else "STATIC_LINK"
        relations.append({
            "spdxElementId": "SPDXRef-cumulus", "relationshipType": kind, "relatedSpdxElement": made["SPDXID"]})
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "cumulus-" + version,
        "documentNamespace": "https://cumulus.invalid/spdx/%s-%s" % (version, digest),
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: The Cumulus authors"]},
        "packages": packages, "relationships": relations,
    }
    print(json.dumps(document, indent=1, ensure_ascii=False))


def main():
    if sys.argv[1:] == ["licenses"]:
        licenses()
    elif sys.argv[1:] == ["check"]:
        check()
    elif len(sys.argv) == 4 and sys.argv[1] == "sbom":
        sbom(*sys.argv[2:])
    else:
        sys.exit(__doc__)


main()
