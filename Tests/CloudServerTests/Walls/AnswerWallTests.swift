import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import TestWire
import Testing

/// Small requests get answers that are bounded, and clients that do not read them hold no more.
@Suite(.timeLimit(.minutes(20)))
struct AnswerWallTests {
    /// A record of so many bytes.
    private static func field(_ bytes: Int) -> String {
        #""text": {"value": "\#(String(repeating: "x", count: bytes))"}"#
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    @Test("One record looked up 200 times fills the answer to its limit, and the rest is refused by item")
    func lookup() async throws {
        try await TestServer.run(configure: { $0.limits.responseBytes = 300_000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: Self.field(100_000))
            let names = Self.repeated(#"{"recordName": "n1"}"#, 200)
            let answer = try await mei.post("private/records/lookup", #"{"records": [\#(names)]}"#)
            #expect(answer.status == 200)
            #expect(answer.text.utf8.count < 500_000)
            let codes = answer.column("records", "serverErrorCode")
            #expect(codes.count == 200)
            #expect(
                codes.prefix(3).allSatisfy { $0 == nil } && codes.dropFirst(3).allSatisfy { $0 == "TRY_AGAIN_LATER" })
            let reason = answer["records.199.reason"]?.string ?? ""
            #expect(reason.contains("300000") && reason.contains("limit.responseBytes"))
            #expect(answer["records.199.retryAfter"] == 1)
        }
    }

    @Test("One zone requested 200 times in changes/zone fills one answer, and each zone continues from its token")
    func changes() async throws {
        try await TestServer.run(configure: { $0.limits.responseBytes = 300_000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("A")
            for name in ["n1", "n2"] { try await mei.save(zone: "A", name, fields: Self.field(100_000)) }
            let zones = Self.repeated(#"{"zoneID": {"zoneName": "A"}}"#, 200)
            let answer = try await mei.post("private/changes/zone", #"{"zones": [\#(zones)]}"#)
            #expect(answer.status == 200)
            #expect(answer.text.utf8.count < 500_000)
            let more = answer.column("zones", "moreComing")
            #expect(more[0] == false && more.dropFirst().allSatisfy { $0 == true })
            let token = try #require(answer["zones.199.syncToken"]?.string)
            let rest = try await mei.post(
                "private/changes/zone",
                #"{"zones": [{"zoneID": {"zoneName": "A"}, "syncToken": "\#(token)"}]}"#)
            #expect(rest.column("zones.0.records", "recordName") == ["n1", "n2"])
            #expect(rest["zones.0.moreComing"] == false)
        }
    }

    @Test("A query's page ends at the byte limit with a marker")
    func query() async throws {
        try await TestServer.run(configure: { $0.limits.responseBytes = 250_000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            for number in 0..<5 { try await mei.save("n\(number)", fields: Self.field(100_000)) }
            var names: [String] = []
            var marker = ""
            var pages = 0
            repeat {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Note"}\#(marker)}"#)
                names += answer.recordNames
                pages += 1
                marker = answer["continuationMarker"]?.string.map { #", "continuationMarker": "\#($0)""# } ?? ""
            } while !marker.isEmpty
            #expect(names.sorted() == ["n0", "n1", "n2", "n3", "n4"] && pages == 2)
        }
    }

    /// Waits until somebody's unread answer is no longer held.
    private static func waitUntilReleased(_ app: App) async throws {
        for _ in 0..<2000 {
            if try await app.lookup("small").status == 200 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the answer is still held")
    }

    /// A server where eve has asked for 8 MB, has the head of the answer, and has not read the rest.
    private func unread(
        readingTime: Duration,
        _ body: @escaping @Sendable (_ mei: App, _ eve: App, _ readRest: () async throws -> Void) async throws -> Void
    ) async throws {
        try await TestServer.live(configure: {
            $0.readingTime = readingTime
            $0.inFlight.answerBytesPerCaller = 8_100_000
        }) { server, port in
            let mei = try await server.signIn("mei@example.com")
            let eve = try await server.signIn("eve@example.com")
            for app in [mei, eve] {
                try await app.save("large", fields: Self.field(1_000_000))
                try await app.save("small", fields: Self.field(100_000))
            }
            let wire = try Wire(port: port, room: 4096)
            try await wire.send(eve.bytes("private/records/lookup", Self.eightMegabytes))
            let head = try await wire.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200"))
            try await body(mei, eve) { try await wire.skipBody(of: head) }
            withExtendedLifetime(wire) {}
        }
    }

    private static let eightMegabytes = #"{"records": [\#(repeated(#"{"recordName": "large"}"#, 8))]}"#

    @Test("An unread answer counts against its caller only")
    func slowReaders() async throws {
        try await unread(readingTime: .seconds(1100)) { mei, eve, readRest in
            let refused = try await eve.lookup("small")
            #expect(refused.status == 429 && refused.code == "THROTTLED")
            #expect(refused.reason.contains("8100000") && refused.reason.contains("inFlight.answerBytesPerCaller"))
            #expect(try await mei.lookup("small").status == 200)
            try await readRest()
            try await Self.waitUntilReleased(eve)
        }
    }

    @Test("A client that reads nothing is disconnected, and its answer is released")
    func nonReaders() async throws {
        try await unread(readingTime: .seconds(5)) { _, eve, _ in
            try await Self.waitUntilReleased(eve)
            #expect(try await eve.post("private/records/lookup", Self.eightMegabytes).status == 200)
        }
    }
}
