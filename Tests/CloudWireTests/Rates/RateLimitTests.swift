@testable import CloudHTTP
@testable import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Synchronization
import TestWire
import Testing

/// `rate.token`, `rate.user` and `rate.address`.
@Suite(.timeLimit(.minutes(10)))
struct RateLimitTests {
    private final class Clock: Sendable {
        private let time = Mutex(Timestamp.now())
        func now() -> Timestamp { time.withLock(\.self) }
        func pass(_ time: Duration) { self.time.withLock { $0 = $0 + time } }
    }

    /// A server whose limits let three requests come at once, and one a second after that.
    private func run(
        _ configure: (inout ServerConfiguration) -> Void, _ body: @Sendable (TestServer, Clock) async throws -> Void
    ) async throws {
        let clock = Clock()
        try await TestServer.run(
            configure: {
                $0.rates.burst = 3
                configure(&$0)
            }, clock: { clock.now() }
        ) { try await body($0, clock) }
    }

    private func statuses(_ count: Int, _ send: () async throws -> Answer) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append(try await send().status) }
        return statuses
    }

    @Test("With a pause configured, a throttled user is refused until the pause ends")
    func pause() async throws {
        let pause: (inout ServerConfiguration) -> Void = { ($0.rates.user, $0.rates.pause) = (1, .seconds(20)) }
        try await run(pause) { server, clock in
            let mei = try await server.signIn("mei@example.com")
            let tom = try await server.signIn("tom@example.com")
            #expect(try await statuses(4) { try await mei.get("private/zones/list") } == [200, 200, 200, 429])
            clock.pass(.seconds(15))
            #expect(try await mei.get("private/zones/list")["retryAfter"]?.integer == 5)
            #expect(try await tom.get("private/zones/list").status == 200)
            clock.pass(.seconds(5))
            #expect(try await mei.get("private/zones/list").status == 200)
        }
    }

    @Test("The CloudKit profile refuses a burst for half a minute, in development only", arguments: [true, false])
    func profile(dev: Bool) async throws {
        // Of a clock that stands still, so that a slow machine asks in as little time as a quick one.
        let clock = Clock()
        try await TestServer.run(
            dev: dev, configure: { $0.rateProfile = .cloudkit }, clock: { clock.now() }
        ) { server in
            let mei = dev ? try await server.signIn("mei@example.com") : try await server.production("mei@example.com")
            var refused: Answer?
            for _ in 0..<200 where refused == nil {
                let answer = try await mei.get("private/zones/list")
                if answer.status != 200 { refused = answer }
            }
            #expect((refused?.status == 429) == dev)
            if dev { #expect(refused?["retryAfter"]?.integer == 30, "\(refused?.text ?? "")") }
        }
    }

    @Test("A user over the rate is refused with retryAfter") func throttled() async throws {
        try await run({ $0.rates.user = 1 }) { server, clock in
            let mei = try await server.signIn("mei@example.com")
            #expect(try await statuses(3) { try await mei.get("private/zones/list") } == [200, 200, 200])
            let refused = try await mei.get("private/zones/list")
            #expect(refused.status == 429 && refused.code == "THROTTLED")
            #expect(refused["retryAfter"]?.integer == 1 && refused.headers[.retryAfter] == "1")
            #expect(refused.reason == "too many requests, at most 1 a second are allowed (rate.user)")
            // Others are not concerned, nor is a caller without a user.
            let bo = try await server.signIn("bo@example.com")
            #expect(try await bo.get("private/zones/list").status == 200)
            #expect(try await statuses(5) { try await server.app().get("public/zones/list") }.allSatisfy { $0 == 200 })
            clock.pass(.seconds(2))
            #expect(try await statuses(3) { try await mei.get("private/zones/list") } == [200, 200, 429])
        }
    }

    @Test("Users of one API token share its rate") func sharedRate() async throws {
        try await run({ $0.rates.token = 1 }) { server, clock in
            let (mei, bo) = (try await server.signIn("mei@example.com"), try await server.signIn("bo@example.com"))
            #expect(try await statuses(2) { try await mei.get("private/zones/list") } == [200, 200])
            #expect(try await statuses(2) { try await bo.get("private/zones/list") } == [200, 429])
            let elsewhere = try await server.signIn("mei@example.com", "iCloud.com.example.other")
            #expect(try await elsewhere.get("private/zones/list").status == 200)
        }
    }

    @Test("Requests of an address count on API routes, polls do not") func addressRate() async throws {
        try await run({
            $0.rates.address = 1
            $0.trustForwardedFor = true
        }) { server, clock in
            func get(_ path: String, from address: String) async throws -> Answer {
                let header = try #require(HTTPField.Name("X-Forwarded-For"))
                return try await server.send(.get, path, headers: [header: address])
            }
            let zones = server.app().target("public/zones/list")
            #expect(try await get(zones, from: "192.0.2.1").status == 200)
            #expect(try await get("/aps?tok=none", from: "192.0.2.1").status != 429)
            #expect(try await get(zones, from: "192.0.2.1").status == 200)
            for path in [zones, "/aps?tok=none"] {
                let refused = try await get(path, from: "192.0.2.1")
                #expect(refused.status == 429 && refused.headers[.retryAfter] == "1", "\(path) \(refused.text)")
            }
            // Pages ask for much at once, and what watches the server must see it.
            #expect(try await get("/", from: "192.0.2.1").status == 200)
            #expect(try await get("/health", from: "192.0.2.1").status != 429)
            #expect(try await get(zones, from: "192.0.2.2").status == 200)
            clock.pass(.seconds(1))
            #expect(try await get(zones, from: "192.0.2.1").status == 200)
        }
    }

    @Test("The trail of a throttled request names the limit") func trail() async throws {
        try await run({ $0.rates.user = 1 }) { server, clock in
            let mei = try await server.signIn("mei@example.com")
            _ = try await statuses(3) { try await mei.get("private/zones/list") }
            let record = try await server.record(of: try await mei.get("private/zones/list"))
            #expect(record["status"]?.integer == 429)
            #expect(record.text.contains("at most 1 (rate.user)"), "\(record.text)")
        }
    }

    @Test("Without limits no request is throttled") func unlimited() async throws {
        try await run({ _ in }) { server, clock in
            let mei = try await server.signIn("mei@example.com")
            #expect(try await statuses(50) { try await mei.get("private/zones/list") }.allSatisfy { $0 == 200 })
        }
    }

    /// A request from an address, as a proxy tells it.
    private func from(_ address: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("X-Forwarded-For")): address]
    }

    @Test("An authenticated user does not count for the address, and is not locked out by strangers there")
    func sharedAddress() async throws {
        try await run({
            $0.rates.address = 1
            $0.trustForwardedFor = true
        }) { server, clock in
            let headers = try from("192.0.2.1")
            let mei = try await server.signIn("mei@example.com")
            let (own, anonymous) = (mei.target("private/zones/list"), server.app().target("public/zones/list"))
            #expect(
                try await statuses(8) { try await server.send(.get, own, headers: headers) }.allSatisfy { $0 == 200 })
            #expect(
                try await statuses(4) { try await server.send(.get, anonymous, headers: headers) } == [
                    200, 200, 200, 429,
                ])
            #expect(try await server.send(.get, own, headers: headers).status == 200)
        }
    }

    @Test(
        "Wrong credentials, forged links and invalid paths count for the address",
        arguments: [
            "/database/1/c/development/private/zones/list?ckAPIToken=wrong&ckWebAuthToken=wrong", "/nothing/here",
            "/previews/c/development/forged/small", "/admin/1/containers",
        ])
    func strangers(path: String) async throws {
        try await run({
            $0.rates.address = 1
            $0.trustForwardedFor = true
        }) { server, clock in
            var headers = try from("192.0.2.1")
            if path.hasPrefix("/admin") { headers[.authorization] = "Bearer wrong" }
            let answers = try await statuses(4) { try await server.send(.get, path, headers: headers) }
            #expect(!answers.prefix(3).contains(429) && answers[3] == 429, "\(answers)")
            #expect(try await server.send(.get, path, headers: try from("192.0.2.2")).status != 429)
        }
    }

    @Test("The default limits allow a first sync, and stop a stranger's 1,500 requests in a row")
    func standard() async throws {
        let clock = Clock()
        try await TestServer.run(configure: { $0.rates = .standard }, clock: { clock.now() }) { server in
            let mei = try await server.signIn("mei@example.com")
            // 100,000 records in pages of 200, twice.
            #expect(try await statuses(1000) { try await mei.get("private/zones/list") }.allSatisfy { $0 == 200 })
            let stranger = server.app()
            let answers = try await statuses(1500) { try await stranger.get("public/zones/list") }
            #expect(answers.prefix(1000).allSatisfy { $0 == 200 } && answers.dropFirst(1000).allSatisfy { $0 == 429 })
            let refused = try await stranger.get("public/zones/list")
            #expect(refused.code == "THROTTLED" && refused.reason.contains("at most 100 a second"))
            #expect(refused.headers[.retryAfter] != nil)
        }
    }

    @Test("A throttled client's connection is closed with its body unread")
    func unreadBodies() async throws {
        try await TestServer.live(configure: { $0.rates.refusedUploadBytes = 1000 }) { server, port in
            #expect(
                try await server.send(.post, "/uploads/forged", body: ByteBuffer(repeating: 7, count: 2000)).status
                    == 403)
            let wire = try Wire(port: port)
            try await wire.send("POST /uploads/forged HTTP/1.1\r\nHost: a\r\nContent-Length: 40000000\r\n\r\nabc")
            let answer = try await wire.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 429"))
            #expect(answer.lowercased().contains("retry-after: "))
        }
    }

    @Test("Bytes of refused uploads count for the link's user, or for the address if the link is forged")
    func refusedUploads() async throws {
        try await run({
            $0.rates.refusedUploadBytes = 100_000
            $0.limits.assets.bytes = 1_000_000
            $0.trustForwardedFor = true
        }) { server, clock in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1")
            let headers = try from("192.0.2.1")
            func link() async throws -> String {
                let answer = try await mei.post(
                    "private/assets/upload",
                    #"{"tokens": [{"recordName": "n1", "recordType": "Note", "fieldName": "file"}]}"#)
                return "/" + (try #require(answer["tokens.0.url"]?.string)).split(separator: "/", maxSplits: 2)[2]
            }
            func upload(_ count: Int, to path: String, _ headers: HTTPFields) async throws -> Answer {
                try await server.send(
                    .post, path, headers: headers, body: ByteBuffer(bytes: [UInt8](repeating: 7, count: count)))
            }
            let used = try await link()
            #expect(try await upload(500_000, to: used, headers).status == 200)
            // A link that is used, and one that is none.
            #expect(try await upload(60_000, to: used, headers).status == 409)
            #expect(try await upload(60_000, to: used, headers).status == 409)
            let refused = try await upload(1000, to: used, headers)
            #expect(refused.status == 429 && refused.headers[.retryAfter] != nil)
            #expect(try await upload(60_000, to: "/uploads/forged", headers).status == 403)
            #expect(try await upload(60_000, to: "/uploads/forged", headers).status == 403)
            #expect(try await upload(1000, to: "/uploads/forged", headers).status == 429)
            #expect(try await upload(1000, to: "/uploads/forged", try from("192.0.2.2")).status == 403)
            // What is uploaded well counts for nothing.
            clock.pass(.seconds(900))
            for _ in 0..<3 { #expect(try await upload(500_000, to: try await link(), headers).status == 200) }
        }
    }
}
