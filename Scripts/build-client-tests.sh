#!/bin/bash
# Builds the demo, the Swift client and the example suite that uses it, with their tests. The client and the suite share a
# folder, so that the client is compiled once for both.
set -euo pipefail
cd "$(dirname "$0")/.."

# build PACKAGE FOLDER
build() {
    read -ra flags < <(Scripts/debug-flags.sh "$2")
    swift build --build-tests "${flags[@]}" --package-path "$1" --scratch-path "$2"
}

build Examples/Demo Examples/Demo/.build
build Clients/Swift Clients/Swift/.build
build Examples/Suites/WithSwift Clients/Swift/.build
