@testable import CloudHTTP
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Testing

/// The long poll (reference B §7.4).
struct CourierTests {
    /// - Parameter hold: long enough that a poll that has something to wait for does not end without it.
    private func run(
        hold: Duration = .milliseconds(50), _ body: @Sendable (TestServer, App) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: { $0.push.courierHold = hold }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            try await body(server, mei)
        }
    }

    @Test("Each poll takes one message, in order") func order() async throws {
        try await run { server, mei in
            let ear = try await mei.ear()
            for name in ["a", "b", "c"] { try await mei.save(name) }
            #expect(
                try await [ear.news(), ear.news(), ear.news(), ear.news()] == ["notes a", "notes b", "notes c", ""])
        }
    }

    @Test("A message is one JSON object") func message() async throws {
        try await run { server, mei in
            let ear = try await mei.ear()
            try await mei.save("a")
            let answer = try await ear.poll()
            #expect(answer.headers[.contentType]?.hasPrefix("application/json") == true)
            #expect(answer["ck.cid"]?.string == mei.container)
            #expect(answer["ck.ckuserid"]?.string == mei.user)
            #expect(answer["ck.qry.fo"] == 1)
        }
    }

    @Test("A waiting poll is answered with the next message") func waitingPoll() async throws {
        try await run(hold: .seconds(60)) { server, mei in
            let ear = try await mei.ear()
            async let news = ear.news()
            try await mei.save("a")
            #expect(try await news == "notes a")
        }
    }

    @Test("A poll that ends without a message is a 200 without a body") func emptyPoll() async throws {
        try await run { server, mei in
            let answer = try await mei.ear().poll()
            #expect(answer.status == 200)
            #expect(answer.text.isEmpty)
            #expect(answer.headers[.contentLength] == "0")
            #expect(answer.headers[.contentType] == nil)
        }
    }

    @Test("A poll's record and CORS headers are complete once its wait has ended") func keptHeaders() async throws {
        try await run { server, mei in
            let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            let answer = try await server.send(
                .get, mei.ear().target,
                headers: [.origin: "https://app.example.org", try #require(HTTPField.Name("traceparent")): trace])
            #expect(answer.headers[.accessControl.allowOrigin] == "https://app.example.org")
            #expect(answer.headers[.accessControl.allowCredentials] == "true")
            let record = try await server.record(of: answer)
            #expect(record["traceparent"]?.string == trace)
            #expect(record["route"]?.string == "/aps")
            #expect(record["method"]?.string == "GET")
        }
    }

    @Test("A second poll of a token releases the first") func secondPoll() async throws {
        try await run(hold: .seconds(60)) { server, mei in
            let ear = try await mei.ear()
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { try await ear.news() } }
                #expect(try await group.next() == "")
                try await mei.save("a")
                #expect(try await group.next() == "notes a")
            }
        }
    }

    @Test("Of a thousand polls with one token, one keeps waiting") func newestPollStays() async throws {
        try await run(hold: .seconds(60)) { server, mei in
            let ear = try await mei.ear()
            try await withThrowingTaskGroup { group in
                for _ in 0..<1000 { group.addTask { try await ear.news() } }
                for _ in 0..<999 { #expect(try await group.next() == "") }
                try await mei.save("a")
                #expect(try await group.next() == "notes a")
            }
        }
    }

    /// No message is had twice, however many fight for them.
    @Test("Several polls of one token at once get each message once", .timeLimit(.minutes(5)))
    func rivals() async throws {
        try await run { server, mei in
            let ear = try await mei.ear()
            let names = (0..<20).map { "r\($0)" }
            for name in names { try await mei.save(name) }
            var news = try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        var news: [String] = []
                        while news.count < 40 {
                            news.append(try await ear.news())
                        }
                        return news
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            // Rivals may have ended each other's polls all along on a slow machine.
            while case let left = try await ear.news(), !left.isEmpty { news.append(left) }
            #expect(news.filter { !$0.isEmpty }.sorted() == names.map { "notes \($0)" }.sorted())
        }
    }

    @Test("A client gets no message of its own write") func writersClient() async throws {
        try await run { server, mei in
            let phone = try await mei.ear("phone")
            let tablet = try await mei.ear("tablet")
            try await mei.write("a", as: "phone")
            try await mei.write("b", as: "tablet")
            #expect(try await [phone.news(), phone.news()] == ["notes b", ""])
            #expect(try await [tablet.news(), tablet.news()] == ["notes a", ""])
        }
    }

    /// CloudKit JS: the second container registers the token that the first has.
    @Test("A token registered in two containers gets the messages of both") func twoContainers() async throws {
        try await run(hold: .seconds(60)) { server, mei in
            let ear = try await mei.ear("page")
            let other = try await server.signIn("mei@example.com", "iCloud.com.example.other")
            try await other.watchNotes("others")
            let answer = try await other.tokens(
                "register", #"{"apnsEnvironment": "development", "apnsToken": "\#(ear.token)", "clientId": "page"}"#)
            #expect(answer["webcourierURL"]?.string == ear.url)
            // Something of each, in turn, both waiting and waited for.
            try await mei.save("a")
            try await other.save("b")
            try await mei.save("c")
            #expect(try await [ear.news(), ear.news(), ear.news()] == ["notes a", "others b", "notes c"])
            async let news = ear.poll()
            try await other.save("d")
            #expect(try await news.news == "others d")
            #expect(try await news["ck.cid"]?.string == other.container)
        }
    }

    @Test("A message is marked as pruned after older ones were dropped") func dropped() async throws {
        try await TestServer.run(configure: {
            $0.limits.notifications.perToken = 2
            $0.push.courierHold = .seconds(0.05)
        }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let ear = try await mei.ear()
            for name in ["a", "b", "c"] { try await mei.save(name) }
            let first = try await ear.poll()
            #expect(first.news == "notes b")
            #expect(first["ck.p"] != nil)
            let second = try await ear.poll()
            #expect(second.news == "notes c")
            #expect(second["ck.p"] == nil)
        }
    }

    @Test(
        "A poll with an unknown push token gets a 404 without a body",
        arguments: ["", "?tok=", "?tok=abc", "?tok=" + String(repeating: "a", count: 64), "?tok=%FF", "?ttl=1"])
    func unknownToken(query: String) async throws {
        try await TestServer.run { server in
            for path in ["/aps", "/events"] {
                let answer = try await server.send(.get, path + query)
                #expect(answer.status == 404)
                #expect(answer.text.isEmpty)
                #expect(answer.headers[.contentType] == nil)
            }
        }
    }

    @Test("A poll with another method is refused without a body", arguments: [HTTPRequest.Method.post, .put, .delete])
    func otherMethods(method: HTTPRequest.Method) async throws {
        try await TestServer.run { server in
            let ear = try await server.signIn("mei@example.com").ear()
            let answer = try await server.send(method, ear.target)
            #expect(answer.status == 405)
            #expect(answer.text.isEmpty)
            #expect(answer.headers[.allow] == "GET, HEAD")
        }
    }

    @Test("Pages of any origin may poll") func anyOrigin() async throws {
        try await run { server, mei in
            let ear = try await mei.ear()
            let origin: HTTPFields = [.origin: "https://app.example.com"]
            for target in [ear.target, "/aps?tok=none"] {
                let answer = try await server.send(.get, target, headers: origin)
                #expect(answer.headers[.accessControl.allowOrigin] == "https://app.example.com")
            }
            #expect(try await server.send(.options, ear.target, headers: origin).status == 200)
        }
    }
}
