package import CloudModel
package import TestWire
import Testing

/// Reads a stream of server-sent events.
package struct EventReader: Sendable {
    package struct Event {
        package let id: String
        package let message: JSONValue

        package var news: String { message.news }
    }

    package let wire: Wire

    /// Opens the stream, and returns once it has begun.
    package init(_ ear: Ear, port: Int, after id: String? = nil, inQuery: Bool = false, room: Int? = nil) async throws {
        wire = try Wire(port: port, room: room)
        let query = id.map { inQuery ? "&lastEventID=\($0)" : "" } ?? ""
        let header = id.map { inQuery ? "" : "Last-Event-ID: \($0)\r\n" } ?? ""
        try await wire.send("GET /events?tok=\(ear.token)\(query) HTTP/1.1\r\nHost: a\r\n\(header)\r\n")
        let head = try await wire.readHead()
        #expect(head.hasPrefix("HTTP/1.1 200"))
        #expect(head.lowercased().contains("content-type: text/event-stream"))
        #expect(try await wire.read(until: "\n\n").contains("retry: 1000"))
    }

    /// The next event; signs of life are passed over.
    package func next() async throws -> Event {
        while true {
            let lines = try await wire.read(until: "\n\n").split(whereSeparator: \.isNewline)
            guard let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6) else { continue }
            let id = try #require(lines.first { $0.hasPrefix("id: ") }).dropFirst(4)
            return Event(id: String(id), message: try JSONParser.parse(Array(data.utf8)))
        }
    }
}
