@testable import CloudWire
@testable import CloudServer
import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import TestWire
import Testing

@testable import CloudStore

/// GET /events.
@Suite(.timeLimit(.minutes(20)))
struct EventStreamTests {
    private func run(
        configure: @Sendable @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable @escaping (App, Int) async throws -> Void
    ) async throws {
        try await TestServer.live(configure: configure) { server, port in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            try await body(mei, port)
        }
    }

    @Test("Queued and new notifications are streamed") func streaming() async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            try await mei.save("a")
            let reader = try await EventReader(ear, port: port)
            #expect(try await reader.next().news == "notes a")
            for name in ["b", "c"] {
                try await mei.save(name)
                #expect(try await reader.next().news == "notes \(name)")
            }
        }
    }

    @Test("A client that reconnects gets the events that it missed", arguments: [false, true])
    func reconnection(inQuery: Bool) async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            var ids: [String] = []
            do {
                let reader = try await EventReader(ear, port: port)
                for name in ["a", "b", "c"] {
                    try await mei.save(name)
                    ids.append(try await reader.next().id)
                }
            }
            try await mei.save("d")
            let again = try await EventReader(ear, port: port, after: ids[0], inQuery: inQuery)
            var news: [String] = []
            for _ in 0..<3 { news.append(try await again.next().news) }
            #expect(news == ["notes b", "notes c", "notes d"])
            // Without a place it goes on with what nobody has had.
            let fresh = try await EventReader(ear, port: port)
            try await mei.save("e")
            #expect(try await fresh.next().news == "notes e")
        }
    }

    /// As when the connection breaks after the event and before the server has noted that it was sent.
    @Test("The event named by Last-Event-ID is not sent again")
    func lastEvent() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let ear = try await mei.ear()
            var place = EventPosition()
            do {
                try await mei.save("a")
                place = try #require(EventPosition(try await EventReader(ear, port: port).next().id))
            }
            for name in ["b", "c"] { try await mei.save(name) }
            let container = try #require(try await server.accounts.containers.all().first { $0.name == mei.container })
            let source = EventPosition.Source(container: container.id, environment: .development)
            let first = try #require(place.ids[source])
            place.reach(
                QueuedNotification(
                    id: first + 1, revision: 0, created: Timestamp(milliseconds: 0), isDelivered: false,
                    isPruned: false, body: []),
                from: source)
            let reader = try await EventReader(ear, port: port, after: place.text)
            #expect(try await reader.next().news == "notes c")
            try await mei.save("d")
            #expect(try await reader.next().news == "notes d")
        }
    }

    @Test("A stream with an unreadable Last-Event-ID begins like one without it") func unreadableID() async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            try await mei.save("a")
            let reader = try await EventReader(ear, port: port, after: "nonsense")
            #expect(try await reader.next().news == "notes a")
        }
    }

    @Test("An event stream sends comments as heartbeats") func heartbeat() async throws {
        try await run(configure: {
            $0.push.eventHeartbeat = .seconds(0.1)
            $0.idleTime = .seconds(3)
            $0.requestTime = .seconds(3)
        }) { mei, port in
            let reader = try await EventReader(try await mei.ear(), port: port)
            for _ in 0..<40 { #expect(try await reader.wire.read(until: "\n\n").hasSuffix(":")) }
        }
    }

    /// One listener at a time: a newer one, of either kind, ends the stream.
    @Test("A newer stream of a token ends the older one", arguments: ["/events", "/aps"])
    func newerListener(path: String) async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            let reader = try await EventReader(ear, port: port)
            let newer = try Wire(port: port)
            try await newer.send("GET \(path)?tok=\(ear.token) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await reader.wire.read(until: "0\r\n\r\n")
            try await mei.save("a")
            #expect(try await newer.read(until: #""rid":"a""#).contains("HTTP/1.1 200"))
        }
    }

    @Test("An event stream ends when its device gets a new push token") func newToken() async throws {
        try await run { mei, port in
            let reader = try await EventReader(try await mei.ear("phone"), port: port)
            _ = try await mei.ear("phone")
            _ = try await reader.wire.read(until: "0\r\n\r\n")
        }
    }

    /// A zone's one message, changed while it is sent, is sent again with what it says now.
    @Test("A zone message changed during delivery is sent again with the newer text")
    func overtaken() async throws {
        try await run { mei, port in
            try await mei.makeZone("Notes")
            _ = try await mei.post(
                "private/subscriptions/modify",
                """
                {"operations": [{"operationType": "create", "subscription": {"subscriptionType": "zone",
                    "subscriptionID": "zone", "zoneID": {"zoneName": "Notes"}}}]}
                """)
            let reader = try await EventReader(try await mei.ear(), port: port)
            var last = ""
            for number in 0..<20 {
                try await mei.save(zone: "Notes", "r\(number)", type: "Other")
                let event = try await reader.next()
                #expect(event.news == "zone")
                #expect(event.id != last || number > 0)
                last = event.id
            }
        }
    }

    /// It holds one message at a time, and only its own token's next listener waits for it to be given up.
    @Test("A client that does not read loses its listener") func slowReader() async throws {
        try await run(configure: { $0.limits.notifications.perToken = 100_000 }) { mei, port in
            let body = String(repeating: "x", count: 3500)
            try await mei.save("seed", type: "Large")
            let made = try await mei.post(
                "private/subscriptions/modify",
                """
                {"operations": [{"operationType": "create", "subscription": {"subscriptionType": "query",
                    "subscriptionID": "large", "firesOn": ["create"], "query": {"recordType": "Large"},
                    "notificationInfo": {"alertBody": "\(body)"}}}]}
                """)
            #expect(made["subscriptions.0.subscriptionID"] == "large")
            let ear = try await mei.ear()
            let other = try await mei.ear()
            let reader = try await EventReader(ear, port: port, room: 4096)
            for start in stride(from: 0, to: 2000, by: 200) {
                let operations = (start..<start + 200).map { Operation.write("create", "r\($0)", type: "Large") }
                #expect(try await mei.modify(operations).status == 200)
            }
            // The other token is served meanwhile.
            #expect(try await other.news() == "large r0")
            let newer = try Wire(port: port)
            try await newer.send("GET \(ear.target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await newer.readAnswer().body.contains(#""sid":"large""#))
            // Its end is not read for: a system may drop what a closed connection still held, and tell nobody.
            withExtendedLifetime(reader) {}
        }
    }
}
