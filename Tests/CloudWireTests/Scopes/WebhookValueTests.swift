@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import Testing

/// Messages of webhooks whose makers may not read records.
@Suite(.timeLimit(.minutes(20)))
struct WebhookValueTests {
    @Test("A webhook without values gets the names of a change only, and so does its dead letter")
    func messages() async throws {
        try await Receiver.run { delivery, _ in
            Response(status: delivery.path == "/lost" ? .gone : .ok)
        } _: { receiver in
            try await TestServer.run(webhooks: .quick) { server in
                let mei = try await server.signIn("mei@example.com")
                try await mei.save("probe", fields: #""title": {"value": "private"}"#)
                let answer = try await mei.post(
                    "private/subscriptions/modify",
                    """
                    {"operations": [{"operationType": "create", "subscription": {
                        "subscriptionType": "query", "subscriptionID": "notes", "firesOn": ["create", "update"],
                        "query": {"recordType": "Note"}, "notificationInfo": {"alertBody": "private",
                        "additionalFields": ["title"], "alertLocalizationKey": "K",
                        "alertLocalizationArgs": ["title"]}}}]}
                    """)
                #expect(answer["subscriptions.0.subscriptionID"] == "notes", "\(answer.text)")
                for (path, carries) in [("/bare", false), ("/lost", false), ("/whole", true)] {
                    _ = try await server.accounts.webhooks.add(
                        container: "iCloud.com.example.test", environment: .development,
                        url: WebhookURL(checking: receiver.url(path)), carriesValues: carries)
                    try await mei.probe(receiver, at: path)
                }
                try await mei.save("n1", fields: #""title": {"value": "private"}"#)
                var messages: [String: Delivery] = [:]
                while messages.count < 3 {
                    let delivery = try await receiver.next()
                    if delivery.record == "n1" { messages[delivery.path] = delivery }
                }
                for (path, delivery) in messages {
                    let text = String(decoding: delivery.body, as: UTF8.self)
                    #expect(text.contains("private") == (path == "/whole"), "\(path): \(text)")
                    let json = try JSONParser.parse(delivery.body)
                    #expect(json[path: "ck.qry.rid"] == "n1" && json[path: "ck.qry.sid"] == "notes", "\(text)")
                }
                try await until { try await !server.accounts.webhooks.deadLetters.list().isEmpty }
                for letter in try await server.accounts.webhooks.deadLetters.list() {
                    #expect(!String(decoding: letter.body, as: UTF8.self).contains("private"))
                }
            }
        }
    }
}
