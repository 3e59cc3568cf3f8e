import CloudAccounts
import CloudEngine
import CloudModel
import CloudCrypto
import Foundation
import TestEngine
import TestStore
import Testing

struct WebhookTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() async throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
        _ = try await accounts.containers.create(name: "c")
    }

    private func add(_ url: String = "https://hooks.example.com/in") async throws -> (WebhookSecret, Webhook) {
        try await accounts.webhooks.add(
            container: "c", environment: .production, url: try WebhookURL(checking: url))
    }

    private func bury(_ message: String, of webhook: Webhook, keeping most: Int = 10) async throws {
        let time = Timestamp(wholeSeconds: 1_700_000_000)
        try await accounts.webhooks.deadLetters.bury(
            [(message, Array("{}".utf8))], of: webhook.id,
            FailedDelivery(firstAttempt: time, lastAttempt: time + .seconds(60), attempts: 3, fault: "status 500"),
            keeping: most)
    }

    @Test(
        "A valid webhook URL is accepted",
        arguments: [
            ("https://hooks.example.com/in?key=1", "https://hooks.example.com/in?key=1", "hooks.example.com"),
            ("HTTP://Hooks.Example.com:8080/In", "http://hooks.example.com:8080/In", "hooks.example.com"),
            ("https://[2001:DB8::1]/", "https://[2001:db8::1]/", "2001:db8::1"),
            ("http://192.0.2.1", "http://192.0.2.1", "192.0.2.1"), ("http://a_b", "http://a_b", "a_b"),
            ("https://a%2Eb/c%2Fd", "https://a.b/c%2Fd", "a.b"),
        ])
    func url(given: String, text: String, host: String) throws {
        let url = try WebhookURL(checking: given)
        #expect(url.text == text)
        #expect(url.host == host)
    }

    @Test(
        "An invalid webhook URL is refused",
        arguments: [
            ("hooks.example.com", "http:// or https://"), ("ftp://a/", "http:// or https://"), ("https://", "a host"),
            ("https:///in", "a host"), ("", "http:// or https://"), ("http+unix://%2Ftmp%2Fs/", "http:// or https://"),
            ("https://me:secret@a/", "user name or password"), ("https://me@a/", "user name or password"),
            ("https://a/#b", "fragment"), ("https://a:0/", "port"), ("https://a:65536/", "port"),
            ("https://b\u{fc}cher.example/", "its host"), ("https://a%2fb/", "its host"),
            ("https://[fe80::1%25lo]/", "its host"), ("https://a b/", "http:// or https://"),
            ("https://a/" + String(repeating: "x", count: 2048), "2048"),
        ])
    func wrongURL(text: String, hint: String) {
        let error = #expect(throws: ServerError.self) { _ = try WebhookURL(checking: text) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.hasPrefix("webhook URL: ") == true)
        #expect(error?.reason.contains(hint) == true, "\(error?.reason ?? "")")
    }

    @Test("Each webhook has its own secret, the same in every process") func secrets() async throws {
        let (first, webhook) = try await add()
        let (second, _) = try await add()
        #expect(first.text != second.text)
        #expect(first.text.wholeMatch(of: #/whsec_[A-Za-z0-9+\/]{43}=/#) != nil)
        #expect(try await fixture.open().webhooks.secret(of: webhook).text == first.text)
        for suffix in ChosenEngine.isPostgres ? [] : ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: fixture.folder.accountsFile + suffix))
            #expect(bytes.range(of: first.key.withUnsafeBytes { Data($0) }) == nil)
            #expect(bytes.range(of: Data(first.text.dropFirst(6).utf8)) == nil)
        }
    }

    @Test("Webhooks are added, listed and removed") func lifetime() async throws {
        let (_, webhook) = try await add()
        #expect(webhook.device == -webhook.id)
        try await bury("1", of: webhook)
        #expect(try await accounts.webhooks.list(container: "c").map(\.deadLetters) == [1])
        try await accounts.webhooks.remove(id: webhook.id)
        #expect(try await accounts.webhooks.list().isEmpty)
        #expect(try await accounts.webhooks.deadLetters.list().isEmpty)
        #expect(try await accounts.webhooks.removed().map(\.id) == [webhook.id])
        let error = await #expect(throws: ServerError.self) { try await accounts.webhooks.remove(id: webhook.id) }
        #expect(error?.code == .notFound)
        try await accounts.webhooks.forget(id: webhook.id)
        #expect(try await accounts.webhooks.removed().isEmpty)
        #expect(try await add().1.id > webhook.id)
    }

    @Test("Webhooks are removed with their container") func containerDeletion() async throws {
        _ = try await add()
        _ = try await accounts.containers.delete(name: "c")
        #expect(try await accounts.webhooks.list().isEmpty)
        #expect(try await accounts.webhooks.removed().isEmpty)
    }

    @Test("A change to a webhook changes the accounts' revision") func revision() async throws {
        let server = try fixture.open()
        var revisions = [try await server.revision()]
        let (_, webhook) = try await add()
        revisions.append(try await server.revision())
        try await bury("1", of: webhook)
        #expect(try await server.revision() == revisions.last)
        _ = try await accounts.webhooks.deadLetters.retry(of: webhook.id)
        revisions.append(try await server.revision())
        try await accounts.webhooks.remove(id: webhook.id)
        revisions.append(try await server.revision())
        #expect(revisions == Array(Set(revisions)).sorted())
    }

    @Test("Past the limit the oldest dead letters are dropped") func deadLetterLimit() async throws {
        let (_, webhook) = try await add()
        let (_, other) = try await add()
        try await bury("0", of: other, keeping: 3)
        for number in 1...5 { try await bury("\(number)", of: webhook, keeping: 3) }
        try await bury("5", of: webhook, keeping: 3)
        #expect(try await accounts.webhooks.deadLetters.list(of: webhook.id).map(\.message) == ["3", "4", "5"])
        #expect(try await accounts.webhooks.deadLetters.list().map(\.message) == ["0", "3", "4", "5"])
    }

    @Test("Dead letters are sent again in order, or dropped") func deadLetters() async throws {
        let (_, webhook) = try await add()
        for number in 1...3 { try await bury("\(number)", of: webhook) }
        #expect(try await accounts.webhooks.deadLetters.nextRetried(of: webhook.id) == nil)
        #expect(try await accounts.webhooks.deadLetters.retry(of: webhook.id) == 3)
        let first = try #require(try await accounts.webhooks.deadLetters.nextRetried(of: webhook.id))
        #expect(first.message == "1")
        let time = Timestamp(wholeSeconds: 1_700_001_000)
        try await accounts.webhooks.deadLetters.buryAgain(
            first, FailedDelivery(firstAttempt: time, lastAttempt: time, attempts: 2, fault: "status 410"))
        let again = try #require(try await accounts.webhooks.deadLetters.list().first)
        #expect(again.attempts == 5)
        #expect(again.firstAttempt < again.lastAttempt)
        #expect(again.fault == "status 410")
        #expect(!again.isRetried)
        #expect(try await accounts.webhooks.deadLetters.nextRetried(of: webhook.id)?.message == "2")
        #expect(try await accounts.webhooks.deadLetters.clear() == 3)
        try await accounts.webhooks.deadLetters.buryAgain(
            first, FailedDelivery(firstAttempt: time, lastAttempt: time, attempts: 2, fault: "status 410"))
        #expect(try await accounts.webhooks.deadLetters.list().isEmpty)
    }

    @Test("An unknown webhook is named in the refusal") func unknown() async throws {
        for change in [accounts.webhooks.deadLetters.retry, accounts.webhooks.deadLetters.clear] {
            let error = await #expect(throws: ServerError.self) { _ = try await change(7) }
            #expect(error?.reason.contains("no webhook 7") == true)
        }
        await #expect(throws: ServerError.self) { _ = try await accounts.webhooks.deadLetters.list(of: 7) }
    }
}
