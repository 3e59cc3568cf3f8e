import CloudModel
import CloudPages
import CloudServer
import TestCloud
import TestWire
import Testing

/// `GET /share/{id}/events`.
@Suite(.timeLimit(.minutes(5)))
struct PageEventsTests {
    private static func quick(_ configuration: inout ServerConfiguration) {
        configuration.site.news.interval = .milliseconds(50)
        configuration.site.news.heartbeat = .milliseconds(200)
    }

    private static func share(_ app: App) async throws -> String {
        try await app.makeZone("Album")
        try await app.save(zone: "Album", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
        return try await app.share("root", in: "Album", permission: "READ_ONLY")
    }

    private static func add(_ name: String, _ app: App) async throws {
        _ = try await app.modify(
            zone: "Album",
            [
                Operation.write(
                    "create", name, type: "Memory", fields: #""title": {"value": "\#(name)"}"#,
                    extra: #", "parent": {"recordName": "root"}"#)
            ])
    }

    /// Opens a stream, and returns the status of the answer.
    private static func open(_ guid: String, _ port: Int) async throws -> (wire: Wire, head: String) {
        let wire = try Wire(port: port)
        try await wire.send("GET /share/\(guid)/events HTTP/1.1\r\nHost: a\r\n\r\n")
        return (wire, try await wire.readHead())
    }

    private static func version(_ wire: Wire) async throws -> String {
        while true {
            let event = try await wire.read(until: "\n\n")
            if let data = event.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("data: ") }) {
                return String(data.dropFirst(6))
            }
        }
    }

    @Test("A stream tells the version at once and after each change, and ends with the page")
    func versions() async throws {
        try await TestServer.live(configure: Self.quick) { server, port in
            let mei = try await server.signIn("mei@example.com")
            let guid = try await Self.share(mei)
            let (wire, head) = try await Self.open(guid, port)
            #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("text/event-stream"))
            let first = try await Self.version(wire)
            try await Self.add("a", mei)
            let second = try await Self.version(wire)
            #expect(second != first)
            // A stream of another visitor begins with the present version.
            #expect(try await Self.version(try await Self.open(guid, port).wire) == second)
            // Records beside the page move the zone, and are not told.
            try await mei.save(zone: "Album", "beside", type: "Memory", fields: "")
            try await Self.add("b", mei)
            let third = try await Self.version(wire)
            #expect(third != second)
            #expect(try await Self.version(try await Self.open(guid, port).wire) == third)
            let deletion = #"{"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": "Album"}}}]}"#
            #expect(try await mei.post("private/zones/modify", deletion).status == 200)
            _ = try await wire.read(until: "\r\n0\r\n\r\n")
        }
    }

    @Test("Streams of one address are bounded, and a visitor who leaves makes room")
    func bounds() async throws {
        try await TestServer.live {
            Self.quick(&$0)
            $0.site.news.perAddress = 2
        } _: { server, port in
            let mei = try await server.signIn("mei@example.com")
            let guid = try await Self.share(mei)
            let first = try await Self.open(guid, port)
            do {
                let second = try await Self.open(guid, port)
                let third = try await Self.open(guid, port)
                #expect(first.head.hasPrefix("HTTP/1.1 200") && second.head.hasPrefix("HTTP/1.1 200"))
                #expect(third.head.hasPrefix("HTTP/1.1 429"))
                #expect(try await third.wire.read(until: "</html>").contains("2"))
            }
            // The second has hung up; the server finds it at its next sign of life.
            while try await !Self.open(guid, port).head.hasPrefix("HTTP/1.1 200") {}
        }
    }

    @Test("A page that the visitor may not see has no stream")
    func refusals() async throws {
        try await TestServer.live { server, port in
            #expect(try await Self.open("nothing", port).head.hasPrefix("HTTP/1.1 404"))
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Album")
            try await mei.save(zone: "Album", "root", type: "Album", fields: "")
            let guid = try await mei.share("root", in: "Album", permission: "NONE")
            #expect(try await !Self.open(guid, port).head.hasPrefix("HTTP/1.1 200"))
        }
    }
}
