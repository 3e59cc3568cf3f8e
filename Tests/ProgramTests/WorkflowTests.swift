import CloudModel
import Foundation
import Testing
import Yams

/// The `run:` lines of `.github/workflows`: each is run here, or is said not to be, with the reason.
@Suite(.timeLimit(.minutes(10)))
struct WorkflowTests {
    private struct Step: Hashable {
        let file: String
        let job: String
        let name: String
        let script: String

        var key: String { "\(file) \(job): \(name)" }
    }

    private static let folder = DocumentPage.root.appending(path: ".github/workflows")

    private static func steps() throws -> [Step] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().flatMap { file -> [Step] in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let jobs = try #require((try Yams.load(yaml: text) as? [String: Any])?["jobs"] as? [String: [String: Any]])
            return try jobs.flatMap { job, body in
                try #require(body["steps"] as? [[String: Any]]).compactMap { step in
                    guard let script = step["run"] as? String else { return nil }
                    return Step(
                        file: file, job: job, name: try #require(step["name"] as? String), script: script)
                }
            }
        }
    }

    /// The reasons for which a step is not run here.
    private static let elsewhere = [
        "checks.yml linux: Check": "it is what runs this test",
        "checks.yml macos: Install what the program links": "needs macOS",
        "checks.yml macos: Build": "needs macOS",
        "checks.yml macos: Test what needs neither Linux nor a browser": "needs macOS",
        "checks.yml macos: Test the Swift client": "needs macOS",
        "release.yml linux: Install make": "changes the machine",
        "release.yml linux: Build": "takes as long as a release build; ReleaseScriptTests runs what follows that",
        "release.yml check: Try the archive in bare systems": "makes systems as root; by hand, make release-check",
        "release.yml image: Build the image": "needs a container engine",
        "release.yml image: Publish it for this kind of machine": "publishes",
        "release.yml macos: Install what the program links": "needs macOS",
        "release.yml macos: Build": "needs macOS",
        "release.yml macos: Test what needs neither Linux nor a browser": "needs macOS",
        "release.yml publish: Name the images of both kinds by one name": "publishes",
        "release.yml publish: Publish": "publishes",
    ]

    /// What has to be there before a step that is run, and what it leaves.
    private static let here = [
        "checks.yml linux: Let git read the checkout": ("", "git config --global safe.directory"),
        "checks.yml linux: Name the compiled packages": ("", "grep -cE '^key=[0-9a-f]{32}$' \"$GITHUB_OUTPUT\""),
        "release.yml linux: Let git read the checkout": ("", "git config --global safe.directory"),
        "release.yml linux: Compare the tag with the program's version": ("", ""),
        "release.yml macos: Start it": ("mkdir -p .build/release; ln -s \"$program\" .build/release/cumulus", ""),
        "release.yml publish: Put the parts of both kinds of machine together": (
            """
            for kind in ubuntu-24.04 ubuntu-24.04-arm; do
                mkdir -p parts/release-$kind
                echo $kind >parts/release-$kind/$kind.tar.gz
                (cd parts/release-$kind && sha256sum ./*.tar.gz >SHA256SUMS)
            done
            """, "ls dist"
        ),
    ]

    @Test("Every workflow step is run here or listed with a reason, and no stale step is listed")
    func complete() throws {
        let keys = try Self.steps().map(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys) == Set(Self.elsewhere.keys).union(Self.here.keys))
        #expect(Set(Self.elsewhere.keys).isDisjoint(with: Self.here.keys))
    }

    @Test("A workflow step that can run here succeeds", arguments: here.keys.sorted())
    func runs(key: String) async throws {
        let step = try #require(try Self.steps().first { $0.key == key })
        let (before, after) = try #require(Self.here[key])
        // A checkout of its own, for what the line leaves.
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let outcome = try await Program().bash(
            """
            export PATH="$PATH:\(path)"
            export HOME=$TMPDIR GITHUB_OUTPUT=$TMPDIR/output GITHUB_REF_NAME='\(ProgramVersion.text)'
            program='\(Program.executable.path())'
            mkdir "$TMPDIR/checkout"
            cd "$TMPDIR/checkout"
            for part in Package.swift CHANGELOG.md Scripts Sources Packaging; do
                ln -s '\(DocumentPage.root.path())'$part $part
            done
            \(before)
            \(step.script)
            \(after)
            """)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("The workflows build with the image's compiler, on the systems of the promised releases")
    func machines() throws {
        let release = try String(contentsOf: Self.folder.appending(path: "release.yml"), encoding: .utf8)
        #expect(release.contains("runner: [ubuntu-24.04, ubuntu-24.04-arm]"))
        #expect(release.contains("runs-on: macos-"))
        #expect(release.contains("container: docker.io/library/swift:6.3-bookworm"))
    }
}
