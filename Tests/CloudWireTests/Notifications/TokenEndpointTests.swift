import CloudAccounts
import CloudHTTP
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import CloudStore
import Foundation
import Synchronization
import Testing

/// tokens/create and tokens/register (reference B §7.1–§7.3).
@Suite(.timeLimit(.minutes(20)))
struct TokenEndpointTests {
    private static let body = #"{"apnsEnvironment": "development"}"#

    @Test(
        "Every path that clients use for tokens creates and registers them",
        arguments: [("device", ""), ("database", ""), ("database", "/private"), ("database", "/public")])
    func paths(path: String, database: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let made = try await mei.tokens("create", Self.body, under: path, database: database)
            #expect(made.status == 200)
            #expect(made["apnsEnvironment"] == "development")
            let token = try #require(made["apnsToken"]?.string)
            #expect(token.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
            #expect(made["webcourierURL"]?.string == "http://localhost/aps?tok=\(token)&ttl=43200")
            let again = try await mei.tokens(
                "register", #"{"apnsEnvironment": "development", "apnsToken": "\#(token)"}"#, under: path,
                database: database)
            #expect(again.json == made.json)
        }
    }

    @Test(
        "An anonymous caller of a token endpoint is asked to sign in",
        arguments: ["create", "register"], ["device", "database"])
    func anonymous(endpoint: String, path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.app().tokens(endpoint, Self.body, under: path)
            #expect(answer.status == 421)
            #expect(answer["redirectURL"] != nil)
        }
    }

    @Test("A malformed registration is refused by the member at fault")
    func malformed() async throws {
        try await TestServer.run { server in
            for (endpoint, body, name) in [
                ("create", "{}", "apnsEnvironment"), ("create", #"{"apnsEnvironment": "sandbox"}"#, "apnsEnvironment"),
                ("create", #"{"apnsEnvironment": 1}"#, "apnsEnvironment"),
                ("create", #"{"apnsEnvironment": "production", "clientId": 1}"#, "clientId"),
                (
                    "create",
                    #"{"apnsEnvironment": "production", "clientID": "\#(String(repeating: "c", count: 256))"}"#,
                    "255"
                ),
                ("register", Self.body, "apnsToken"),
                ("register", #"{"apnsEnvironment": "production", "apnsToken": 1}"#, "apnsToken"),
                (
                    "register",
                    #"{"apnsEnvironment": "production", "apnsToken": "\#(String(repeating: "c", count: 1025))"}"#,
                    "1024"
                ),
            ] {
                let answer = try await server.signIn("mei@example.com").tokens(endpoint, body)
                #expect(answer.status == 400, "\(endpoint)")
                #expect(answer.reason.contains(name), "\(endpoint)")
            }
        }
    }

    @Test("The courier URL begins with the configured public URL") func publicURL() async throws {
        try await TestServer.run(configure: { $0.publicURL = "https://cloud.example.com" }) { server in
            let ear = try await server.signIn("mei@example.com").ear()
            #expect(ear.url.hasPrefix("https://cloud.example.com/aps?tok="))
        }
    }

    @Test(
        "A device's own token is answered unchanged, with a courier that has its notifications",
        arguments: ["d0d0/+=", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"], [nil, "phone"])
    func deviceToken(token: String, client: String?) async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let client = client.map { #", "clientId": "\#($0)""# } ?? ""
            let body = #"{"apnsEnvironment": "production", "apnsToken": "\#(token)"\#(client)}"#
            let first = try Ear(server, try await mei.tokens("register", body))
            #expect(first.token == token && !first.url.contains(token))
            try await mei.save("a")
            let second = try Ear(server, try await mei.tokens("register", body))
            #expect(second.token == token && first.url != second.url)
            #expect(try await first.poll().status == 404)
            #expect(try await second.news() == "notes a")
            // Who knows the device's token is not the one who listens.
            #expect(try await server.send(.get, "/aps?tok=\(App.encoded(token))").status == 404)
            let list = try await server.manage(
                .get, "\(mei.container)/development/devices", token: server.managementToken())
            #expect(list["items"]?.array?.count == 1, "\(list.text)")
        }
    }

    @Test("Two people who register the same device token have a courier each")
    func twoPeople() async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let mei = try await server.signIn("mei@example.com")
            let eve = try await server.signIn("eve@example.com")
            try await mei.watchNotes()
            let body = #"{"apnsEnvironment": "production", "apnsToken": "d0d0"}"#
            let meis = try Ear(server, try await mei.tokens("register", body))
            let eves = try Ear(server, try await eve.tokens("register", body))
            try await mei.save("a")
            #expect(try await [eves.news(), meis.news()] == ["", "notes a"])
        }
    }

    @Test("An expired token of this server is recognized, and answered with a fresh one")
    func goneToken() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let gone = try await mei.ear("phone")
            let present = try await mei.ear("phone")
            let answer = try await mei.tokens(
                "register", #"{"apnsEnvironment": "development", "apnsToken": "\#(gone.token)", "clientId": "phone"}"#)
            let fresh = try Ear(server, answer)
            #expect(![gone.token, present.token].contains(fresh.token) && fresh.url.contains(fresh.token))
        }
    }

    @Test("Registering a token for the other push environment answers a new one")
    func otherPushEnvironment() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let ear = try await mei.ear()
            let answer = try await mei.tokens(
                "register", #"{"apnsEnvironment": "production", "apnsToken": "\#(ear.token)"}"#)
            #expect(try Ear(server, answer).token != ear.token)
        }
    }

    @Test("A client that creates a token again gets the messages queued for its old token")
    func recreated() async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let old = try await mei.ear("phone")
            let other = try await mei.ear("tablet")
            try await mei.save("a")
            let new = try await mei.ear("phone")
            #expect(try await old.poll().status == 404)
            try await mei.save("b")
            #expect(try await [new.news(), new.news(), new.news()] == ["notes a", "notes b", ""])
            #expect(try await [other.news(), other.news(), other.news()] == ["notes a", "notes b", ""])
        }
    }

    /// Signed out and in as somebody else, on one device.
    @Test("Messages queued for one user are not delivered to another") func otherUser() async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let mei = try await server.signIn("mei@example.com")
            let eve = try await server.signIn("eve@example.com")
            try await mei.watchNotes()
            try await eve.watchNotes("eves")
            let ear = try await mei.ear("phone")
            try await mei.save("secret")
            let answer = try await eve.tokens(
                "register", #"{"apnsEnvironment": "development", "apnsToken": "\#(ear.token)", "clientId": "phone"}"#)
            #expect(answer["apnsToken"]?.string == ear.token)
            try await mei.save("more")
            try await eve.save("own")
            #expect(try await [ear.news(), ear.news()] == ["eves own", ""])
        }
    }

    @Test("Past the token limit the token that expires first is dropped") func tokenLimit() async throws {
        try await TestServer.run(configure: {
            $0.limits.notifications.tokensPerUser = 2
            $0.push.courierHold = .seconds(0.05)
        }) { server in
            let mei = try await server.signIn("mei@example.com")
            let ears = [try await mei.ear("a"), try await mei.ear("b"), try await mei.ear("c")]
            #expect(
                try await [ears[0].poll().status, ears[1].poll().status, ears[2].poll().status] == [404, 200, 200])
        }
    }

    @Test("A token's life is extended by use and ends without it") func lifetime() async throws {
        let time = Mutex(Timestamp.now())
        try await TestServer.run(
            configure: { $0.push.courierHold = .seconds(0.05) },
            clock: { time.withLock(\.self) }
        ) { server in
            let ear = try await server.signIn("mei@example.com").ear()
            for _ in 0..<3 {
                time.withLock { $0 = $0 + .seconds(11 * 3600) }
                #expect(try await ear.poll().status == 200)
            }
            time.withLock { $0 = $0 + .seconds(12 * 3600 + 1) }
            let late = try await ear.poll()
            #expect(late.status == 410)
            #expect(late.text.isEmpty)
        }
    }

    /// A connection for several containers: the token lives longer everywhere, and so must who is told of changes.
    @Test("Registering a token in one environment extends it in all others")
    func prolonged() async throws {
        let time = Mutex(Timestamp.now())
        try await TestServer.run(
            configure: { $0.push.courierHold = .seconds(0.05) }, clock: { time.withLock(\.self) }
        ) { server in
            let mei = try await server.signIn("mei@example.com")
            let elsewhere = try await server.signIn("mei@example.com", "iCloud.com.example.other")
            try await elsewhere.watchNotes()
            let ear = try await mei.ear()
            let body = #"{"apnsEnvironment": "development", "apnsToken": "\#(ear.token)"}"#
            _ = try await elsewhere.tokens("register", body)
            time.withLock { $0 = $0 + .seconds(11 * 3600) }
            let again = try await server.signIn("mei@example.com")
            #expect(try await Ear(server, again.tokens("register", body)).token == ear.token)
            // Past the time that the first registration is good for.
            time.withLock { $0 = $0 + .seconds(2 * 3600) }
            try await server.signIn("mei@example.com", "iCloud.com.example.other").write("n1", as: "tablet")
            #expect(try await ear.news() == "notes n1")
        }
    }

    @Test("Registering an expired push token gives a fresh one") func expired() async throws {
        let time = Mutex(Timestamp.now())
        try await TestServer.run(
            configure: { $0.sessionLifetimes.ordinary = .seconds(1e6) }, clock: { time.withLock(\.self) }
        ) { server in
            let mei = try await server.signIn("mei@example.com")
            let ear = try await mei.ear("phone")
            time.withLock { $0 = $0 + .seconds(12 * 3600 + 1) }
            let answer = try await mei.tokens(
                "register", #"{"apnsEnvironment": "development", "apnsToken": "\#(ear.token)"}"#)
            #expect(try Ear(server, answer).token != ear.token)
        }
    }

    @Test("The push token of a disabled user or deleted container is unknown") func disabled() async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let mei = try await server.signIn("mei@example.com")
            let ear = try await mei.ear()
            #expect(try await ear.poll().status == 200)
            _ = try await server.accounts.users.setDisabled(true, email: "mei@example.com")
            #expect(try await ear.poll().status == 404)
            let kenji = try await server.signIn("kenji@example.com").ear()
            #expect(try await kenji.poll().status == 200)
            _ = try await server.accounts.containers.delete(name: mei.container)
            #expect(try await kenji.poll().status == 404)
        }
    }

    @Test("Disabling a user deletes their devices and queued messages at once")
    func disabledDevices() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            _ = try await mei.ear()
            try await mei.save("a")
            // The file as another process would see it.
            let stores = ContainerStores(folder: server.folder, accounts: server.accounts, previews: nil)
            let container = try #require(try await server.accounts.containers.all().first { $0.name == mei.container })
            let store = try await stores.store(container: container, environment: .development)
            #expect(try await store.notifications.next(token: 1) != nil)
            _ = try await server.accounts.users.setDisabled(true, email: "mei@example.com")
            try await until { try await store.notifications.next(token: 1) == nil }
            try await until { try await server.accounts.pushTokens.endedRegistrations().isEmpty }
            try await stores.close()
        }
    }

    /// The client's name has the same bound in every place that takes it.
    @Test(
        "A clientId that is too long is refused",
        arguments: [
            ("public/records/modify", #"{"operations": [{"operationType": "create", "record": {"recordType": "N"}}]}"#),
            (
                "private/zones/modify",
                #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#
            ),
        ])
    func longClientID(endpoint: String, body: String) async throws {
        try await TestServer.run { server in
            var mei = try await server.signIn("mei@example.com")
            mei.clientID = String(repeating: "c", count: 256)
            let answer = try await mei.post(endpoint, body)
            #expect(answer.status == 400 && answer.text.contains("clientId has 256 bytes, at most 255"))
            mei.clientID = String(repeating: "c", count: 255)
            #expect(try await mei.post(endpoint, body).status == 200)
        }
    }
}
