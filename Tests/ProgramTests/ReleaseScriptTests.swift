import CloudHTTP
import CloudModel
import Foundation
import Testing

/// What `make release` makes, here of the program of the tests, and the scripts around it.
@Suite(.timeLimit(.minutes(20)))
struct ReleaseScriptTests {
    private static let root = DocumentPage.root.path()
    private static let version = ProgramVersion.text

    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    /// Runs a script in a folder of its own, with the sources in `$root` and the compiler on `PATH`.
    private func shell(_ script: String) async throws -> Program.Outcome {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return try await cumulus.bash(
            "export root='\(Self.root)' PATH=\"$PATH:\(path)\"\ncd \"$TMPDIR\"\n\(script)")
    }

    @Test("A release built twice has the same bytes and its promised contents")
    func release() async throws {
        let made = try await shell(
            """
            export CUMULUS_PROGRAM='\(Program.executable.path())' RELEASE_COMPRESSION=1 DPKG_DEB_COMPRESSOR_TYPE=none
            RELEASE_FOLDER=$PWD/one "$root/Scripts/release.sh" >/dev/null
            RELEASE_FOLDER=$PWD/two "$root/Scripts/release.sh" >/dev/null
            cmp one/SHA256SUMS two/SHA256SUMS
            (cd one && sha256sum --quiet --check SHA256SUMS)
            ls one | sed "s/$(uname -m)/MACHINE/; s/$(dpkg --print-architecture)/MACHINE/"
            """)
        #expect(made.status == 0, "\(made.errors)")
        let name = "cumulus-\(Self.version)-linux-MACHINE"
        let files = [
            "CHANGES.md", "SHA256SUMS", "\(name).spdx.json", "\(name).tar.gz", "cumulus-client-0.1.0.tgz",
            "cumulus_\(Self.version)_MACHINE.deb",
        ]
        #expect(
            made.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("cumulus-client") }
                == files.filter { !$0.hasPrefix("cumulus-client") })
        try await archive()
        try await package()
        try await client()
        try await parts()
    }

    /// The archive has one folder with the program and what belongs to it.
    private func archive() async throws {
        let listed = try await shell("tar -tzf one/cumulus-*-linux-*.tar.gz")
        for file in ["cumulus", "README.md", "LICENSE", "CHANGELOG.md", "THIRD-PARTY-LICENSES.txt", "cumulus.service"] {
            #expect(listed.output.contains("-linux-") && listed.output.contains("/\(file)\n"), "\(file)")
        }
        let run = try await shell(
            """
            tar -xzf one/cumulus-*-linux-*.tar.gz
            cumulus-*-linux-*/cumulus --version
            grep -c '^swift-nio: Apache-2.0' cumulus-*-linux-*/THIRD-PARTY-LICENSES.txt
            tar -tvzf one/cumulus-*-linux-*.tar.gz | awk '{ print $2, $4, $5 }' | sort -u | wc -l
            """)
        #expect(run.output.hasPrefix(Self.version) && run.output.hasSuffix("\n1\n1\n"), "\(run)")
    }

    private func package() async throws {
        let listed = try await shell("dpkg-deb -c one/*.deb | awk '{ print $2, $6 }'; dpkg-deb -f one/*.deb Depends")
        #expect(listed.output.contains("root/root ./usr/lib/cumulus/cumulus\n"), "\(listed)")
        #expect(!listed.output.contains("/Public"))
        #expect(!listed.output.contains("libpq"))
    }

    /// The client's package is what npm would make: a file for each file of `Public/client`, and it can be imported.
    private func client() async throws {
        let outcome = try await shell(
            """
            mkdir node_modules
            tar -xzf one/cumulus-client-*.tgz -C node_modules
            mv node_modules/package node_modules/cumulus-client
            rm node_modules/cumulus-client/LICENSE
            diff -r "$root/Public/client" node_modules/cumulus-client
            node --input-type=module -e 'import { configure } from "cumulus-client"; console.log(typeof configure)'
            """)
        #expect(outcome.output == "function\n", "\(outcome)")
    }

    /// The list of what is inside names every package of the build but those of tests, with a licence.
    private func parts() async throws {
        let read = try await shell("cat one/*.spdx.json")
        let document = try read.json
        #expect(document.object?["spdxVersion"]?.string == "SPDX-2.3")
        let parts = try #require(document.object?["packages"]?.array).compactMap(\.object)
        let names = Set(parts.compactMap { $0["name"]?.string })
        let built = try String(
            contentsOf: DocumentPage.root.appending(path: "Packaging/dependencies.txt"), encoding: .utf8)
        for line in built.split(separator: "\n") where !line.hasPrefix("#") && !line.hasPrefix("yams ") {
            #expect(names.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
        for part in ["libsqlite3-dev", "zlib1g-dev", "libsimdjson-dev", "swift", "icu", "photoswipe"] {
            #expect(names.contains(part), "\(part)")
        }
        #expect(parts.allSatisfy { $0["licenseDeclared"]?.string?.isEmpty == false })
    }

    /// A small program with the same scripts, as the whole one takes minutes.
    @Test("A release build links archives only, writes English dates, and is reproducible in another folder")
    func linking() async throws {
        let outcome = try await shell(
            """
            mkdir -p one/Sources/cumulus
            cp -R "$root/Scripts" one/
            cp -R "$root"/Sources/{CZlib,CSQLiteMemory} one/Sources/
            # The archive of simdjson, which takes a download to make.
            mkdir -p "$root/.build/simdjson" one/.build
            ln -s "$root/.build/simdjson" one/.build/simdjson
            cat >one/Package.swift <<END
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "small", targets: [
                .target(name: "CSQLiteMemory", linkerSettings: [.linkedLibrary("sqlite3")]),
                .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
                .executableTarget(name: "cumulus", dependencies: ["CZlib", "CSQLiteMemory"]),
            ])
            END
            cat >one/Sources/cumulus/main.swift <<END
            import CSQLiteMemory
            import CZlib
            import Foundation
            print(csqlitememory_leave_uncounted(), zlibVersion() != nil)
            let style = Date.FormatStyle(
                date: .long, time: .shortened, locale: Locale(identifier: "en-GB"), timeZone: .gmt)
            print(Date(timeIntervalSince1970: 1_700_000_000).formatted(style), 1234567.formatted(.number.locale(style.locale)))
            print(Array("\u{FB01}\u{FF12}".precomposedStringWithCompatibilityMapping.utf8))
            END
            cp -R one another-folder
            for folder in one another-folder; do
                (cd $folder && Scripts/build-program.sh >&2)
                $folder/Scripts/strip-program.sh $folder/.build/release/cumulus $folder/cumulus
            done
            one/cumulus
            one/Scripts/check-program.sh one/cumulus >&2
            cmp one/cumulus another-folder/cumulus && echo same
            """)
        #expect(
            outcome.output == "0 true\n14 November 2023 at 22:13 1,234,567\n[102, 105, 50]\nsame\n",
            "\(outcome.output)\(outcome.errors)")
    }

    @Test("The files of two architectures are merged, unless common files differ")
    func merging() async throws {
        let setUp = """
            mkdir x y
            echo client | tee x/client.tgz >y/client.tgz
            echo x >x/x.tar.gz; echo y >y/y.tar.gz
            sums() { (cd "$1" && sha256sum -- *.*gz >SHA256SUMS); }
            sums x; sums y
            "$root/Scripts/merge-release.sh" x y out
            ls out; wc -l <out/SHA256SUMS; (cd out && sha256sum --quiet --check SHA256SUMS)

            """
        let merged = try await shell(setUp)
        #expect(merged.output == "SHA256SUMS\nclient.tgz\nx.tar.gz\ny.tar.gz\n3\n", "\(merged)")
        let again = "rm -r x y out\n" + setUp
        let damaged = try await shell(again + "echo z >y/y.tar.gz\n\"$root/Scripts/merge-release.sh\" x y new")
        #expect(damaged.status != 0 && damaged.errors.contains("the checksums of y are others"), "\(damaged)")
        let other = try await shell(again + "echo z >y/client.tgz; sums y\n\"$root/Scripts/merge-release.sh\" x y new")
        #expect(other.status != 0 && other.errors.contains("client.tgz is not the same"), "\(other)")
    }

    @Test("A program that links more than glibc, or is too large, fails the release check")
    func program() async throws {
        let outcome = try await shell(
            """
            echo 'int main(void) { return 0; }' >main.c
            gcc main.c -o plain
            "$root/Scripts/check-program.sh" plain
            gcc main.c -o more -Wl,--no-as-needed -lsqlite3
            if "$root/Scripts/check-program.sh" more; then exit 1; fi
            if PROGRAM_LIMIT=-1 "$root/Scripts/check-program.sh" plain; then exit 1; fi
            """)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.errors.contains("more links more than glibc: libsqlite3.so.0"), "\(outcome)")
        #expect(outcome.errors.contains("that is more than -1 MB"), "\(outcome)")
    }

    @Test("A tag that differs from the version of the sources is refused")
    func tags() async throws {
        let other = try await shell("\"$root/Scripts/check-version.sh\" 0.0.1")
        #expect(other.status == 1 && other.errors.contains("the sources are of version \(Self.version)"))
        let own = try await shell("\"$root/Scripts/check-version.sh\" '\(Self.version)'")
        #expect(own.status == 0, "\(own.errors)")
    }
}
