@testable import CloudHTTP
@testable import CloudConsole
import TestCloud
import CloudModel
import Foundation
import NIOCore
import TestProcess
import Testing

/// The examples of the console for apps: pasted as they stand, they work.
@Suite(.timeLimit(.minutes(10)))
struct APIPreviewTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL
    private static let container = "iCloud.com.example.test"

    private static func schema() throws -> String {
        let text = try String(contentsOf: root.appending(path: "Tests/Fixtures/types/every-kind.ckdb"), encoding: .utf8)
        let types = try #require(
            text.split(separator: "DEFINE SCHEMA").last?.split(separator: "RECORD TYPE Users").first)
        return String(types).replacing("READ TO \"_world\"", with: "READ, CREATE, WRITE TO \"_icloud\"")
    }

    /// The parts of a preview as its page has them.
    private static func parts(
        _ server: TestServer, _ type: String, _ language: String, more: String = ""
    ) async throws -> [String] {
        let path =
            "/console/api?container=\(container)&environment=development&type=\(type)&language=\(language)\(more)"
        let page = try await server.send(.get, path)
        #expect(page.status == 200, "\(page.text)")
        // The address that the test's client calls the server by has no port.
        let origin = "http://127.0.0.1:\(server.client.port ?? 0)"
        return page.text.matches(of: #/<pre tabindex="0" aria-label="[^"]*">([^<]*)<\/pre>/#).map {
            App.unescaped(String($0.output.1)).replacing(#/http:\/\/localhost(:[0-9]+)?/#, with: origin)
        }
    }

    /// Runs a text with a program.
    ///
    /// - Returns: what it printed.
    private static func run(
        _ program: String, _ arguments: [String], file name: String, _ text: String
    ) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "preview-\(UUID().uuidString)")
        let modules = folder.appending(path: "node_modules")
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createSymbolicLink(
            at: modules.appending(path: "cumulus-client"), withDestinationURL: root.appending(path: "Public/client"))
        let (file, output) = (folder.appending(path: name), folder.appending(path: "output"))
        try Data(text.utf8).write(to: file)
        #expect(FileManager.default.createFile(atPath: output.path(), contents: nil))
        let (log, nothing) = (
            try FileHandle(forWritingTo: output), try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        )
        let child = try ChildProcess(
            URL(filePath: program), arguments + [file.path()],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path()],
            streams: (nothing.fileDescriptor, log.fileDescriptor, log.fileDescriptor), bound: 120)
        let status = await child.end()
        let printed = try String(contentsOf: output, encoding: .utf8)
        #expect(status == 0, "\(printed)\n\(text)")
        return printed
    }

    @Test("The curl commands sign in and save, find, read and delete a record, and can run twice")
    func curl() async throws {
        try await TestServer.run(.live) { server in
            #expect(try await server.makeOperator().importing(Self.schema()).status == 200)
            let mei = try await server.signIn("me@example.com")
            try await mei.makeZone("it's")
            for type in ["EveryKind", "Date", "a-b.c"] {
                for more in ["", "&user=\(mei.user)", "&user=\(mei.user)&zone=it's"] {
                    let parts = try await Self.parts(server, type, "curl", more: more)
                    #expect(parts.count == 5, "\(type)")
                    let text = parts.map { $0 + "\necho\n" }.joined()
                    let printed = try await Self.run("/bin/bash", ["-e"], file: "preview.sh", text + text)
                    #expect(!printed.contains("serverErrorCode"), "\(printed)")
                    #expect(printed.matches(of: #/"recordName":"example","recordType"/#).count >= 4, "\(printed)")
                }
            }
        }
    }

    @Test("The JavaScript example runs with the client, and can run twice")
    func javaScript() async throws {
        try await TestServer.run(.live) { server in
            #expect(try await server.makeOperator().importing(Self.schema()).status == 200)
            let mei = try await server.signIn("me@example.com")
            try await mei.makeZone("it's")
            for type in ["EveryKind", "Date", "a-b.c"] {
                for more in ["", "&user=\(mei.user)", "&user=\(mei.user)&zone=it's"] {
                    let parts = try await Self.parts(server, type, "javascript", more: more)
                    #expect(parts.count == 5, "\(type)")
                    for _ in 0..<2 {
                        let printed = try await Self.run(
                            "/usr/bin/node", [], file: "preview.mjs", parts.joined(separator: "\n"))
                        #expect(printed.contains("example"), "\(printed)")
                    }
                }
            }
        }
    }

    /// The tests of the Swift client compile and run the committed file.
    @Test("The Swift example equals the code that the Swift client's tests compile and run")
    func swift() async throws {
        try await TestServer.run { server in
            #expect(try await server.makeOperator().importing(Self.schema()).status == 200)
            let parts = try await Self.parts(server, "EveryKind", "swift").dropFirst().joined(separator: "\n")
            let indented = parts.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : "        \($0)"
            }
            let path = "Clients/Swift/Tests/CumulusKitTests/Types/ConsoleExampleTests.swift"
            let committed = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            #expect(
                committed.contains(indented.joined(separator: "\n")), "to renew it: paste this into \(path)\n\(parts)")
        }
    }

    @Test("Without --dev the examples name the missing credentials and link to where they are made")
    func production() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            let server = ines.server
            #expect(try await server.makeOperator().importing(Self.schema()).status == 200)
            let page = try await ines.visitor.open(
                "/console/api?container=\(Self.container)&environment=development&type=Date"
            ).text
            #expect(page.contains("API_TOKEN=") && page.contains("href=\"/console/settings/credentials\""))
            #expect(!page.contains("d0d0") && !page.contains("dev/session"))
        }
    }

    @Test("The preview prefers a query that production would answer")
    func query() {
        var type = TypeDefinition(fields: ["code": FieldDeclaration(FieldType(.string), indexes: [.queryable])])
        let spot = DataSpot(
            place: ConsolePlace(container: "c", environment: .production, containers: []), query: FormFields("".utf8))
        let preview = { APIPreview(origin: "o", spot: spot, type: "T", definition: $0, apiToken: nil) }
        #expect(preview(type).filter?.name == "code")
        type.implicit[.recordID] = [.queryable]
        #expect(preview(type).filter == nil && preview(TypeDefinition()).filter == nil)
    }
}
