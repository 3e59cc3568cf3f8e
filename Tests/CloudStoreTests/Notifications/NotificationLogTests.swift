import CloudModel
import TestStore
import Testing

@testable import CloudStore

struct NotificationLogTests {
    private let place = NotificationLog.EnvironmentKey(container: 1, environment: .development)

    private func message(_ id: Int64, revision: Int64 = 0, _ body: String = "{}") -> LoggedNotification {
        LoggedNotification(
            id: id, revision: revision, recipient: .device(clientID: "phone"), queued: Timestamp(milliseconds: id),
            body: Array(body.utf8))
    }

    @Test("The log keeps the latest thousand messages, newest first")
    func bound() {
        let log = NotificationLog()
        for id in 1...2500 { log.add([message(Int64(id))], in: place) }
        let last = log.last(5000, in: place)
        #expect(last.map(\.message.id) == (1501...2500).reversed().map(Int64.init))
        #expect(log.last(3, in: place).map(\.message.id) == [2500, 2499, 2498])
    }

    @Test("A message that replaces another takes its position")
    func replaced() {
        let log = NotificationLog()
        log.add([message(1), message(2)], in: place)
        log.add([message(1, revision: 1)], in: place)
        #expect(log.last(10, in: place).map(\.message.id) == [2, 1])
        #expect(log.last(10, in: place).map(\.message.revision) == [0, 1])
    }

    @Test("A delivery is recorded at its message, and that of another server's message adds an entry")
    func deliveries() {
        let log = NotificationLog()
        let fate = LoggedNotification.Fate.delivered(.poll, Timestamp(milliseconds: 9))
        log.add([message(1), message(2)], in: place)
        log.record(fate, of: message(1), in: place)
        log.record(fate, of: message(3), in: place)
        #expect(log.last(10, in: place).map(\.message.id) == [3, 2, 1])
        #expect(log.last(10, in: place).map(\.message.fate) == [fate, .queued, fate])
    }

    @Test("A message that reuses a number has an entry of its own")
    func numbersAnew() {
        let log = NotificationLog()
        for id in [1, 2, 1] { log.add([message(Int64(id))], in: place) }
        log.record(.failed("status 500"), of: message(1), in: place)
        #expect(log.last(10, in: place).map(\.message.id) == [1, 2, 1])
        #expect(log.last(10, in: place).map(\.message.fate) == [.failed("status 500"), .queued, .queued])
        for id in 3...1100 { log.add([message(Int64(id))], in: place) }
        #expect(log.last(5000, in: place).map(\.message.id) == (101...1100).reversed().map(Int64.init))
    }

    @Test("Messages of two environments with the same number are separate")
    func places() {
        let log = NotificationLog()
        let other = NotificationLog.EnvironmentKey(container: 1, environment: .production)
        log.add([message(1)], in: place)
        log.add([message(1), message(2)], in: other)
        log.record(.failed("status 500"), of: message(1), in: other)
        #expect(log.last(10, in: place).map(\.message.fate) == [.queued])
        #expect(log.last(10, in: other).map(\.message.fate) == [.queued, .failed("status 500")])
    }

    @Test(
        "A message's subject has its subscription, record and zone",
        arguments: [
            (
                #"{"aps": {}, "ck": {"ckuserid": "_a", "qry": {"sid": "s", "rid": "r", "zid": "Z", "dbs": 1, "af": {"t": "secret"}}}}"#,
                NotificationSubject.Kind.query, "s", "r", "Z"
            ),
            (#"{"ck": {"ckuserid": "_a", "fet": {"sid": "s", "zid": "Z", "dbs": 1}}}"#, .zone, "s", nil, "Z"),
            (#"{"ck": {"ckuserid": "_a", "met": {"sid": "s", "dbs": 1}}}"#, .database, "s", nil, nil),
        ] as [(String, NotificationSubject.Kind, String, String?, String?)])
    func subjects(body: String, kind: NotificationSubject.Kind, subscription: String, record: String?, zone: String?) {
        let subject = message(1, body).subject
        #expect(subject.user == "_a" && subject.kind == kind && subject.subscription == subscription)
        #expect(subject.recordName == record && subject.zone == zone && subject.database == .private)
    }

    @Test("A malformed message has no subject", arguments: ["", "[]", "{\"ck\": 1}", "{\"ck\": {\"qry\": 3}}"])
    func otherForms(body: String) {
        let subject = message(1, body).subject
        #expect(subject.subscription == nil && subject.recordName == nil && subject.user.isEmpty)
    }
}
