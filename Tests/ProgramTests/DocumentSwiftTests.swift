import CloudServer
import Foundation
import TestProcess
import Testing

/// The Swift blocks of `docs/` compile against the Swift client, and run.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DocumentSwiftTests {
    /// Seconds that the compiler has, and a program.
    private static let bound = 900.0
    /// A package of all blocks: a target for each page. What is compiled stays, so that only what has changed is next time.
    private static let build = DocumentPage.root.appending(path: ".build/documents").path()

    /// Pages with Swift blocks, and the code that a page's blocks begin with or go on with in a test.
    private struct Target {
        let page: DocumentPage
        var beginning = ""
        var end = ""
        /// The last lines that the program prints; empty for any.
        var lastLines: [Substring] = []
        /// Files beside the blocks.
        var files: [String: String] = [:]

        var name: String { String(page.path.split(separator: "/").last?.replacing(".md", with: "") ?? "") }
        var blocks: [String] { page.blocks("swift").filter { !UnrunBlocks.contains($0, of: page) } }
        var source: String { ([beginning] + blocks + [end]).joined(separator: "\n\n") }
    }

    /// Two devices, which share what each sets and removes.
    private static let twoDevices = """
        let tablet = KeyValues(store, credentials)
        values.pending = ["SFO": ["type": "STRING", "value": "KSFO"], "tries": ["type": "INT64", "value": 3]]
        try await values.synchronize()
        try await tablet.synchronize()
        tablet.pending = ["RIX": ["type": "STRING", "value": "EVRA"], "tries": NSNull()]
        try await tablet.synchronize()
        try await values.synchronize()
        for device in [values, tablet] {
            print(device.values.keys.sorted(), (device.values["SFO"] as? [String: Any])?["value"] ?? "nothing")
        }
        """

    /// What the block about Apple uses of Apple's frameworks.
    private static let appleBeginning = """
        import CumulusKit
        import Foundation

        final class ASAuthorizationAppleIDRequest {
            enum Scope { case fullName, email }

            var requestedScopes: [Scope]?
            var nonce: String?
        }

        struct ASAuthorizationAppleIDProvider {
            func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest() }
        }

        struct ASAuthorizationAppleIDCredential {
            let identityToken: Data?
            let authorizationCode: Data?
            let fullName: PersonNameComponents?
        }

        func signIn(_ credential: ASAuthorizationAppleIDCredential, _ container: CKContainer) async throws {
        """

    private static func targets() async throws -> [Target] {
        let client = try DocumentPage("docs/clients-swift.md")
        let schema = try DocumentPage("docs/schema.md")
        return [
            Target(page: client),
            // It is compiled only: a token of Apple's cannot be had.
            Target(page: try DocumentPage("docs/signing-in.md"), beginning: appleBeginning, end: "}"),
            // The page names the block that it goes on from.
            Target(
                page: schema,
                beginning: try #require(client.blocks("swift").first { $0.contains("signInForDevelopment") }),
                files: ["Records.swift": try await records(schema)]),
            Target(
                page: try DocumentPage("docs/key-value.md"), end: twoDevices,
                lastLines: [#"["RIX", "SFO"] KSFO"#, #"["RIX", "SFO"] KSFO"#]),
        ]
    }

    /// What the program writes for the schema of the page.
    private static func records(_ page: DocumentPage) async throws -> String {
        let program = try Program()
        let block = try #require(page.blocks("sh").first { $0.contains("<<'END'") })
        let text = try #require(block.firstMatch(of: /(?s)<<'END'\n(.*?)\nEND/)?.output.1)
        let file = try program.file("articles.ckdb", String(text)).path()
        let written = try await program("schema", "types", "--schema", file, "--language", "swift")
        try #require(written.status == 0, "\(written.errors)")
        return written.output
    }

    @Test("Every page with Swift blocks is compiled")
    func pagesAreComplete() async throws {
        let pages = try DocumentPage.guides.filter { !$0.blocks("swift").isEmpty }.map(\.path)
        #expect(Set(pages) == Set(try await Self.targets().map(\.page.path)))
    }

    @Test("The Swift blocks compile and run")
    func blocksRun() async throws {
        let program = try Program()
        let server = try await RunningServer(program, "--dev")
        let targets = try await Self.targets()
        let tests = try DocumentPage("docs/clients-swift.md").blocks("swift test")
        try Self.write(targets, tests, origin: server.origin)
        // A compiler is there, since it has built this test, but not always where programs are.
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let compiled = try await program.bash(
            """
            export PATH="$PATH:\(path)" HOME='\(ProcessInfo.processInfo.environment["HOME"] ?? "/tmp")'
            swift build --build-tests -debug-info-format none --package-path '\(Self.build)'
            CUMULUS_PROGRAM='\(Program.executable.path())' swift test --skip-build -debug-info-format none \
                --package-path '\(Self.build)'
            """, bound: Self.bound)
        #expect(compiled.status == 0, "\(compiled.output.suffix(6000))\n\(compiled.errors.suffix(3000))")
        let signIn = try #require(try DocumentPage("docs/tour.md").blocks("sh").first)
            .replacing(ReadmeTests.origin, with: server.origin)
        for target in targets {
            let outcome = try await program.bash(
                """
                \(signIn)
                export WEB_AUTH_TOKEN=$(jq -r .ckWebAuthToken <<<"$session")
                cd '\(program.folder.path())'
                '\(Self.build)/.build/debug/\(target.name)'
                """, bound: Self.bound)
            #expect(outcome.status == 0, "\(target.name): \(outcome.output)\n\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").suffix(target.lastLines.count)
            #expect(Array(lines) == target.lastLines)
        }
        #expect(await server.stop() == 0)
    }

    private static func write(_ targets: [Target], _ tests: [String], origin: String) throws {
        let client = DocumentPage.root.appending(path: "Clients/Swift").path()
        let kit = #".product(name: "CumulusKit", package: "Swift")"#
        let executables = targets.map { #"    .executableTarget(name: "\#($0.name)", dependencies: [\#(kit)]),"# }
        try put(
            """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(name: "documents", platforms: [.macOS(.v13)], dependencies: [.package(path: "\(client)")], targets: [
            \(executables.joined(separator: "\n"))
                .testTarget(name: "PageTests", dependencies: [\(kit), .product(name: "CumulusKitTesting", package: "Swift")]),
            ])

            """, "Package.swift")
        for target in targets {
            let source = target.source.replacing(ReadmeTests.origin, with: origin)
            try put(source + "\n", "Sources/\(target.name)/main.swift")
            for (name, text) in target.files { try put(text, "Sources/\(target.name)/\(name)") }
        }
        try put(tests.joined(separator: "\n\n") + "\n", "Tests/PageTests/PageTests.swift")
    }

    /// Writes a file of the package, unless its text is the same already.
    private static func put(_ text: String, _ path: String) throws {
        let file = URL(filePath: build).appending(path: path)
        if (try? String(contentsOf: file, encoding: .utf8)) == text { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
