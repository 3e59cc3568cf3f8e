@testable import CloudHTTP
@testable import CloudWire
import CloudAccounts
import TestCloud
import CloudModel
import Testing

@testable import CloudStore

/// Messages that a commit hands to a poll that waits.
struct HandedMessageTests {
    @Test("A message is not handed to a token that became another user's meanwhile")
    func anotherUsersToken() async throws {
        try await TestServer.run { server in
            let ear = try await server.signIn("mei@example.com").ear()
            let stores = ContainerStores(folder: server.folder, accounts: server.accounts, previews: nil)
            let reader = TokenReader(
                .poll, lifetime: .seconds(3600), server.accounts, stores,
                Deliveries(stores: stores, logger: TestServer.silent), metrics: ServerMetrics(),
                logger: TestServer.silent)
            let text = String(try #require(ear.target.split(separator: "tok=").last?.prefix(64)))
            let before = try await reader.open(text)
            let place = try #require(before.registrations.first)
            let handed = HandedMessage(
                notification: QueuedNotification(
                    id: 1, revision: 0, created: .now(), isDelivered: false, isPruned: false, body: Array("{}".utf8)),
                place: NotificationLog.EnvironmentKey(container: place.container.id, environment: place.environment))
            #expect(reader.message(handed, to: before)?.notification.id == 1)
            let body = #"{"apnsEnvironment": "development", "apnsToken": "\#(ear.token)"}"#
            _ = try await server.signIn("noor@example.com").tokens("register", body)
            let after = try await reader.open(text)
            #expect(after.registrations.first?.user != place.user)
            #expect(reader.message(handed, to: before) == nil)
            #expect(reader.message(handed, to: after) != nil)
        }
    }
}
