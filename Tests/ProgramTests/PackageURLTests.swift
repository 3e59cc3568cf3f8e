import Foundation
import Testing

/// The Swift client as a dependency by the address of this repository.
@Suite(.timeLimit(.minutes(10)))
struct PackageURLTests {
    @Test("An app that depends on the repository gets the client and no other package")
    func dependency() async throws {
        let program = try Program()
        let root = DocumentPage.root.path()
        let surroundings = ProcessInfo.processInfo.environment
        let outcome = try await program.bash(
            """
            export PATH="$PATH:\(surroundings["PATH"] ?? "")" HOME="$TMPDIR"
            cd '\(program.folder.path())'
            mkdir -p cumulus/Clients/Swift app/Sources/app
            cp '\(root)/Package.swift' cumulus/
            cp -R '\(root)/Clients/Swift/Sources' cumulus/Clients/Swift/
            cd cumulus
            git init -q
            git add .
            git -c user.name=a -c user.email=a@example.com commit -qm all
            git tag 9.9.9
            cd ../app
            cat >Package.swift <<END
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "app", platforms: [.macOS(.v13), .iOS(.v16)],
                dependencies: [.package(url: "file://$(realpath ../cumulus)", from: "9.0.0")],
                targets: [
                    .executableTarget(
                        name: "app",
                        dependencies: [
                            .product(name: "CumulusKit", package: "cumulus"),
                            .product(name: "CumulusKitTesting", package: "cumulus"),
                        ])
                ])
            END
            echo 'import CumulusKit' >Sources/app/main.swift
            swift package resolve
            ls .build/checkouts
            swift package describe >/dev/null
            swift package dump-package --package-path .build/checkouts/cumulus
            """, bound: 300)
        #expect(outcome.status == 0, "\(outcome.output.suffix(3000))\n\(outcome.errors)")
        let listed = outcome.output.split(separator: "\n").map(String.init)
        let start = try #require(listed.firstIndex(of: "cumulus"), "\(outcome.output)")
        #expect(listed[start + 1] == "{", "another package was fetched: \(listed[start + 1])")
        for text in [#""version" : "16.0""#, #""version" : "13.0""#] {
            #expect(outcome.output.contains(text), "\(text)")
        }
    }
}
