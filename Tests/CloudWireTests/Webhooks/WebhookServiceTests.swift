@testable import CloudHTTP
@testable import CloudWire
import CloudAccounts
import CloudEngine
import TestCloud
import CloudModel
import Foundation
import Synchronization
import TestEngine
import Testing

/// Couriers come and go with webhooks and servers, and do not stand in each other's way.
@Suite(.timeLimit(.minutes(20)))
struct WebhookServiceTests {
    @Test("A webhook that hangs delays no other and does not keep the server from stopping") func hangingWebhook()
        async throws
    {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        try await Receiver.run { delivery, _ in
            if delivery.path == "/slow" { for await _ in gate {} }
            return Response(status: .ok)
        } _: { receiver in
            var settings = WebhookSettings.quick
            settings.timeout = .seconds(600)
            try await TestServer.run(webhooks: settings) { server in
                let mei = try await server.subscriber()
                for path in ["/slow", "/in"] { _ = try await server.addWebhook(receiver.url(path)) }
                for path in ["/slow", "/in"] { try await mei.probe(receiver, at: path) }
                for name in ["n1", "n2", "n3"] { try await mei.save(name) }
                var got: [Delivery] = []
                for _ in 0..<4 { got.append(try await receiver.next()) }
                #expect(got.filter { $0.path == "/slow" }.map(\.record) == ["n1"])
                #expect(got.filter { $0.path == "/in" }.map(\.record) == ["n1", "n2", "n3"])
            }
            opener.finish()
        }
    }

    @Test("After a restart a webhook continues with the waiting message") func restart() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try DataFolder(path: path, engine: TestEngine())
        try await Receiver.run { _, attempt in
            Response(status: attempt == 1 ? .serviceUnavailable : .ok)
        } _: { receiver in
            var settings = WebhookSettings.quick
            // A message that has failed waits for longer than the first server lives.
            (settings.firstDelay, settings.longestDelay) = (.seconds(3600), .seconds(3600))
            let first = Mutex<Delivery?>(nil)
            try await TestServer.run(webhooks: settings, in: folder) { server in
                let mei = try await server.subscriber()
                _ = try await server.addWebhook(receiver.url())
                try await mei.probe(receiver)
                for name in ["n1", "n2"] { try await mei.save(name) }
                let delivery = try await receiver.next()
                first.withLock { $0 = delivery }
            }
            try await TestServer.run(webhooks: .quick, in: folder) { _ in
                let again = try await receiver.next()
                #expect(again.record == "n1")
                #expect(again.headers["webhook-id"] == first.withLock(\.self)?.headers["webhook-id"])
                #expect(again.body == first.withLock(\.self)?.body)
                for _ in 0..<2 { #expect(try await receiver.next().record == "n2") }
            }
        }
    }

    @Test("A removed webhook gets no more messages") func removed() async throws {
        try await Receiver.run { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.subscriber()
                let webhook = try await server.addWebhook(receiver.url("/first")).webhook
                try await mei.probe(receiver, at: "/first")
                try await server.accounts.webhooks.remove(id: webhook.id)
                try await until { try await server.accounts.webhooks.removed().isEmpty }
                _ = try await server.addWebhook(receiver.url("/second"))
                try await mei.probe(receiver, at: "/second")
                for name in ["n1", "n2"] { try await mei.save(name) }
                for name in ["n1", "n2"] {
                    let delivery = try await receiver.next()
                    #expect(delivery.record == name)
                    #expect(delivery.path == "/second")
                }
                #expect(await receiver.rest.isEmpty)
            }
        }
    }

    @Test("A failing webhook is removed with its queue") func removedWebhook() async throws {
        try await Receiver.run { _, _ in
            Response(status: .internalServerError)
        } _: { receiver in
            var settings = WebhookSettings.quick
            (settings.firstDelay, settings.longestDelay) = (.seconds(3600), .seconds(3600))
            try await TestServer.run(webhooks: settings) { server in
                let mei = try await server.subscriber()
                let webhook = try await server.addWebhook(receiver.url()).webhook
                try await mei.probe(receiver)
                for name in ["n1", "n2"] { try await mei.save(name) }
                _ = try await receiver.next()
                try await server.accounts.webhooks.remove(id: webhook.id)
                try await until { try await server.accounts.webhooks.removed().isEmpty }
                #expect(try await server.accounts.webhooks.deadLetters.list().isEmpty)
                #expect(await receiver.rest.isEmpty)
            }
        }
    }

    @Test("A webhook gets no messages of other containers and environments") func isolation() async throws {
        try await Receiver.run { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.subscriber()
                _ = try await server.accounts.containers.create(name: "other")
                let url = try WebhookURL(checking: receiver.url("/other"))
                _ = try await server.accounts.webhooks.add(container: "other", environment: .development, url: url)
                _ = try await server.accounts.webhooks.add(
                    container: mei.container, environment: .production, url: url)
                _ = try await server.addWebhook(receiver.url())
                try await mei.probe(receiver)
                try await mei.save("n1")
                #expect(try await receiver.next().path == "/in")
                #expect(await !receiver.probes.contains("/other"))
            }
        }
    }
}
