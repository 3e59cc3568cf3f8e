@testable import CloudHTTP
@testable import CloudWire
import CloudAccounts
import CloudServer
import TestCloud
import CloudModel
import CloudCrypto
import Foundation
import NIOCore
import Synchronization
import Testing

/// Deliveries to the URLs that an operator has added.
@Suite(.timeLimit(.minutes(20)))
struct WebhookDeliveryTests {
    @Test("Messages are delivered in order and signed") func signed() async throws {
        try await Receiver.run { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.subscriber()
                let (secret, webhook) = try await server.addWebhook(receiver.url("/in?for=me"))
                try await mei.probe(receiver)
                for name in ["n1", "n2", "n3"] { try await mei.save(name) }
                var ids: Set<String> = []
                for name in ["n1", "n2", "n3"] {
                    let delivery = try await receiver.next()
                    #expect(delivery.record == name)
                    #expect(delivery.headers["content-type"] == "application/json")
                    try Self.verify(delivery, secret)
                    ids.insert(try #require(delivery.headers["webhook-id"]))
                }
                #expect(ids.count == 3)
                #expect(ids.allSatisfy { $0.hasPrefix("\(webhook.id)-") })
            }
        }
    }

    /// Checks a signature like a receiver, with the secret's text.
    private static func verify(_ delivery: Delivery, _ secret: WebhookSecret) throws {
        let key = try #require(Data(base64Encoded: String(secret.text.dropFirst("whsec_".count))))
        let id = try #require(delivery.headers["webhook-id"])
        let timestamp = try #require(delivery.headers["webhook-timestamp"])
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(timestamp).".utf8) + delivery.body, using: SymmetricKey(data: key))
        #expect(delivery.headers["webhook-signature"] == "v1," + Data(code).base64EncodedString())
    }

    @Test("A failed message is retried before later ones are sent") func retry() async throws {
        try await Receiver.run { delivery, attempt in
            Response(status: delivery.record == "n1" && attempt < 3 ? .serviceUnavailable : .ok)
        } _: { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.subscriber()
                _ = try await server.addWebhook(receiver.url())
                try await mei.probe(receiver)
                for name in ["n1", "n2"] { try await mei.save(name) }
                var got: [Delivery] = []
                for _ in 0..<4 { got.append(try await receiver.next()) }
                #expect(got.map(\.record) == ["n1", "n1", "n1", "n2"])
                #expect(Set(got.prefix(3).map { $0.headers["webhook-id"] }).count == 1)
                #expect(try await server.accounts.webhooks.deadLetters.list().isEmpty)
            }
        }
    }

    @Test("A message that fails for good is a dead letter until it is sent again") func deadLetter() async throws {
        try await Receiver.run { delivery, attempt in
            Response(status: delivery.record == "n1" && attempt <= 3 ? .internalServerError : .ok)
        } _: { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.subscriber()
                let webhook = try await server.addWebhook(receiver.url()).webhook
                try await mei.probe(receiver)
                for name in ["n1", "n2"] { try await mei.save(name) }
                let first = try await receiver.next()
                for name in ["n1", "n1", "n2"] { #expect(try await receiver.next().record == name) }
                let letter = try #require(try await server.accounts.webhooks.deadLetters.list(of: webhook.id).first)
                #expect(letter.message == first.headers["webhook-id"])
                #expect(letter.body == first.body)
                #expect(letter.attempts == 3)
                #expect(letter.fault == "status 500")
                #expect(try await server.accounts.webhooks.deadLetters.retry() == 1)
                let again = try await receiver.next()
                #expect(again.headers["webhook-id"] == letter.message)
                #expect(again.body == letter.body)
                try await until { try await server.accounts.webhooks.deadLetters.list().isEmpty }
            }
        }
    }

    @Test("A webhook's queue has its own limit, and a message that exceeds it becomes a dead letter")
    func queueBound() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        try await Receiver.run { delivery, _ in
            if delivery.record == "n0" { for await _ in gate {} }
            return Response(status: .ok)
        } _: { receiver in
            try await TestServer.run(configure: {
                $0.webhooks = .quick
                $0.webhooks.timeout = .seconds(600)
                ($0.limits.notifications.perToken, $0.limits.notifications.perWebhook) = (2, 5)
            }) { server in
                let mei = try await server.subscriber()
                let webhook = try await server.addWebhook(receiver.url()).webhook
                try await mei.probe(receiver)
                try await mei.save("n0")
                #expect(try await receiver.next().record == "n0")
                for number in 1..<12 { try await mei.save("n\(number)") }
                try await until { try await server.accounts.webhooks.deadLetters.list(of: webhook.id).count == 7 }
                let letters = try await server.accounts.webhooks.deadLetters.list(of: webhook.id)
                for number in 0..<7 { #expect(letters[number].body.tells(of: "n\(number)")) }
                #expect(letters.allSatisfy { $0.fault.contains("limit.notificationsPerWebhook") })
                opener.finish()
                for number in 7..<12 { #expect(try await receiver.next().record == "n\(number)") }
            }
        }
    }

    @Test("A new webhook gets the very next message")
    func firstMessage() async throws {
        try await Receiver.run { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.subscriber()
                let id = try await server.addWebhook(receiver.url()).webhook.id
                try await until { try await server.accounts.webhooks.list().contains { $0.id == id && $0.isInForce } }
                try await mei.save("n1")
                #expect(try await receiver.next().record == "n1")
            }
        }
    }

    /// The kinds of failed deliveries, with the text of their dead letters.
    @Test(
        "Each failure of a webhook's answer counts as a failed attempt",
        arguments: [
            ("gone", 1, "status 410"), ("moved", 3, "status 307"), ("silent", 3, "no answer within 1 s"),
        ])
    func faults(kind: String, attempts: Int, fault: String) async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        try await Receiver.run { delivery, _ in
            switch kind {
            case "gone": return Response(status: .gone)
            case "moved": return Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
            default:
                for await _ in gate {}
                return Response(status: .ok)
            }
        } _: { receiver in
            var settings = WebhookSettings.quick
            if kind == "silent" { settings.timeout = .seconds(0.05) } else { settings.timeout = .seconds(60) }
            try await TestServer.run(webhooks: settings) { server in
                let mei = try await server.subscriber()
                _ = try await server.addWebhook(receiver.url())
                try await mei.probe(receiver)
                try await mei.save("n1")
                try await until {
                    try await server.accounts.webhooks.deadLetters.list().contains { $0.body.tells(of: "n1") }
                }
                let letter = try #require(
                    try await server.accounts.webhooks.deadLetters.list().first { $0.body.tells(of: "n1") })
                #expect(letter.attempts == attempts)
                #expect(letter.fault == fault)
                #expect(await receiver.rest.allSatisfy { $0.path == "/in" })
            }
            opener.finish()
        }
    }

    @Test("A refused connection counts as a failed attempt") func refusedConnection() async throws {
        try await TestServer.run(webhooks: .quick) { server in
            let mei = try await server.subscriber()
            // The port of a receiver that has gone.
            let url = Mutex("")
            try await Receiver.run { receiver in url.withLock { $0 = receiver.url() } }
            _ = try await server.addWebhook(url.withLock(\.self))
            try await until {
                try await mei.save("n1")
                return try await !server.accounts.webhooks.deadLetters.list().isEmpty
            }
            let letter = try #require(try await server.accounts.webhooks.deadLetters.list().first)
            #expect(letter.fault.hasPrefix("no connection: "))
            #expect(letter.attempts == 3)
        }
    }

    @Test("A webhook's answer is read to 64 KB at most") func endlessAnswer() async throws {
        try await Receiver.run { delivery, _ in
            guard delivery.record == "n1" else { return Response(status: .ok) }
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    while true { try await writer.write(ByteBuffer(repeating: 0, count: 1 << 20)) }
                })
        } _: { receiver in
            var settings = WebhookSettings.quick
            settings.timeout = .seconds(300)
            try await TestServer.run(webhooks: settings) { server in
                let mei = try await server.subscriber()
                _ = try await server.addWebhook(receiver.url())
                try await mei.probe(receiver)
                for name in ["n1", "n2"] { try await mei.save(name) }
                for name in ["n1", "n2"] { #expect(try await receiver.next().record == name) }
            }
        }
    }

    @Test("A host that resolves to this machine is refused at delivery")
    func localHost() async throws {
        try await Receiver.run { receiver in
            var settings = WebhookSettings.quick
            settings.allowPrivateAddresses = false
            try await TestServer.run(webhooks: settings) { server in
                let mei = try await server.subscriber()
                _ = try await server.addWebhook(receiver.url(host: "localhost"))
                try await until {
                    try await mei.save("n1")
                    return try await !server.accounts.webhooks.deadLetters.list().isEmpty
                }
                let letter = try #require(try await server.accounts.webhooks.deadLetters.list().first)
                #expect(letter.fault.contains("localhost leads to "))
                #expect(await receiver.rest.isEmpty)
            }
        }
    }
}

extension [UInt8] {
    fileprivate func tells(of record: String) -> Bool {
        (try? JSONParser.parse(self))?[path: "ck.qry.rid"]?.string == record
    }
}
