import CloudModel
import CloudServer
import Foundation
import TestWire
import Testing

/// Bounds on the memory of the program as shipped, under requests of strangers and users.
@Suite(.serialized)
struct WallTests {
    /// Megabytes that a server may grow by after its first answered request; the whole server has a goal of 400.
    private static let most = 300

    private let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    /// Runs an attack on a fresh server; `large` is a record of a megabyte, alone in the zone `Z`.
    private func growth(_ attack: (_ port: Int, _ token: String) async throws -> Void) async throws -> Int {
        let server = try await RunningServer(cumulus, "--dev")
        let port = try server.port
        let token = try await StoppingTests.signIn(port)
        func send(_ endpoint: String, _ body: String) async throws {
            let wire = try Wire(port: port)
            try await wire.send(StoppingTests.head(endpoint, token, length: body.utf8.count) + body)
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200") && !answer.body.contains("serverErrorCode"))
        }
        try await send(
            "zones/modify", #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#)
        let text = String(repeating: "x", count: 1_000_000)
        try await send(
            "records/modify",
            #"""
            {"zoneID": {"zoneName": "Z"}, "operations": [{"operationType": "create", "record":
            {"recordName": "large", "recordType": "Note", "fields": {"text": {"value": "\#(text)", "type": "BYTES"}}}}]}
            """#
        )
        let before = try server.mostResident()
        try await attack(port, token)
        let grown = try server.mostResident() - before
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
        return grown
    }

    private static func list(_ element: String, _ count: Int) -> String {
        Array(repeating: element, count: count).joined(separator: ",")
    }

    private static let lookup =
        #"{"zoneID": {"zoneName": "Z"}, "records": [\#(list(#"{"recordName": "large"}"#, 200))]}"#
    private static let changes = #"{"zones": [\#(list(#"{"zoneID": {"zoneName": "Z"}}"#, 200))]}"#

    @Test(
        "One record or one zone requested 200 times by twenty requests stays within the memory limits",
        .timeLimit(.minutes(20)),
        arguments: [("records/lookup", lookup), ("changes/zone", changes)])
    func repeatedNames(endpoint: String, body: String) async throws {
        let grown = try await growth { port, token in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let wire = try Wire(port: port)
                        try await wire.send(StoppingTests.head(endpoint, token, length: body.utf8.count) + body)
                        let head = try await wire.readAnswer().head
                        #expect(head.hasPrefix("HTTP/1.1 200") || head.hasPrefix("HTTP/1.1 429"))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(grown < Self.most)
    }

    @Test("Twelve clients that read nothing stay within the memory limits", .timeLimit(.minutes(20)))
    func nonReaders() async throws {
        let grown = try await growth { port, token in
            let wires = try (0..<12).map { _ in try Wire(port: port, room: 4096) }
            for wire in wires {
                try await wire.send(
                    StoppingTests.head("records/lookup", token, length: Self.lookup.utf8.count) + Self.lookup)
            }
            // The server answers the twelve side by side.
            for wire in wires { #expect(try await wire.readHead().hasPrefix("HTTP/1.1")) }
        }
        #expect(grown < Self.most)
    }

    @Test("Sixty anonymous connections with large bodies stay within the memory limits", .timeLimit(.minutes(20)))
    func strangers() async throws {
        let grown = try await growth { port, _ in
            let part = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
            var wires: [Wire] = []
            for _ in 0..<60 {
                let wire = try Wire(port: port)
                try await wire.send(StoppingTests.head("records/modify", "wrong", length: 16_000_000))
                wires.append(wire)
            }
            for wire in wires {
                for _ in 0..<4 { try await wire.send(part) }
                #expect(try await wire.readHead().hasPrefix("HTTP/1.1 421"))
            }
        }
        #expect(grown < 150)
    }

    @Test(
        "Bodies full of small JSON values stay within the memory limits", .timeLimit(.minutes(20)),
        arguments: [
            ("1,", 7_900_000), ("[1],", 3_900_000), ("[1],", 499_000), (#"{"":1},"#, 499_000), ("1.5,", 999_000),
            ("18446744073709551616,", 760_000),
        ])
    func values(element: String, count: Int) async throws {
        let body = #"{"records": [\#(String(repeating: element, count: count))1]}"#
        let grown = try await growth { port, token in
            for _ in 0..<2 {
                let wire = try Wire(port: port)
                try await wire.send(StoppingTests.head("records/lookup", token, length: body.utf8.count) + body)
                #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 400"))
            }
        }
        #expect(grown < Self.most)
    }
}
