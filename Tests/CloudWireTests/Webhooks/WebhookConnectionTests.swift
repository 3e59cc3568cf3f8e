@testable import CloudWire
import TestCloud
import CloudModel
import NIOHTTP1
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct WebhookConnectionTests {
    /// The name exists for the lookup alone, so the connection goes to what that found.
    @Test("A delivery connects to the address that was checked") func checkedAddress() async throws {
        try await Receiver.run { receiver in
            let here = try #require(IPAddress([127, 0, 0, 1]))
            let connection = WebhookConnection(
                to: try WebhookURL(checking: receiver.url(host: "Hooks.invalid")),
                addresses: WebhookAddresses(allowPrivate: true) { _ in [here] }, timeout: .seconds(60))
            #expect(await connection.post([], headers: ["webhook-id": "1"], attempt: 0) == .delivered)
            #expect(try await receiver.next().host == "hooks.invalid:\(receiver.port)")
            await connection.close()
        }
    }

    /// A host whose name leads elsewhere at the next attempt is looked at again, although there is a connection.
    @Test("A webhook's address is checked at every attempt") func everyAttempt() async throws {
        try await Receiver.run { receiver in
            let here = try #require(IPAddress([127, 0, 0, 1]))
            let mapped = try #require(IPAddress([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1]))
            let answers = Mutex([[here], [mapped], [here, mapped]])
            let connection = WebhookConnection(
                to: try WebhookURL(checking: receiver.url(host: "hooks.invalid")),
                addresses: WebhookAddresses(allowPrivate: true) { _ in
                    try answers.withLock { answers in
                        guard !answers.isEmpty else { throw WebhookAddresses.Refusal(description: "refused") }
                        return answers.removeFirst()
                    }
                }, timeout: .seconds(60))
            for attempt in 0..<3 {
                let id = "\(attempt)"
                #expect(await connection.post([], headers: ["webhook-id": id], attempt: attempt) == .delivered)
                #expect(try await receiver.next().headers["webhook-id"] == id)
            }
            #expect(await connection.post([], headers: [:], attempt: 3) == .failed("refused"))
            #expect(await receiver.rest.isEmpty)
            await connection.close()
        }
    }
}
