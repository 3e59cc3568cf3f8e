@testable import CloudHTTP
import CloudModel
import Testing

/// The ring of the last requests.
struct RequestLogTests {
    private func record(_ id: String, reason: String = "") -> RequestRecord {
        let trace = RequestTrace(id: id)
        if !reason.isEmpty { trace.refuse(reason, .input) }
        let request = HTTPRequest(method: .get, authority: "a", path: "/health")
        return RequestRecord(
            trace, time: Timestamp(milliseconds: 0), request, nil, address: nil, status: reason.isEmpty ? 200 : 400,
            bytesOut: 0)
    }

    @Test("The oldest requests are dropped past the count limit, and the others are found by id")
    func number() {
        let log = RequestLog(most: 3, bytes: 1 << 20)
        for number in 1...5 { log.add(record("\(number)")) }
        #expect(log.records(after: nil, limit: 10, RequestFilter()).records.map(\.id) == ["3", "4", "5"])
        #expect(log.find(id: "2") == nil && log.find(id: "4")?.position == 4)
    }

    @Test("The oldest requests are dropped past the memory limit")
    func bytes() {
        let log = RequestLog(most: 1000, bytes: 20_000)
        for number in 1...100 { log.add(record("\(number)", reason: String(repeating: "r", count: 1000))) }
        #expect(log.size.bytes <= 20_000 && log.size.count > 5 && log.size.count < 20)
        #expect(log.find(id: "100") != nil)
    }

    @Test("Field names in conflicts count towards the memory limit")
    func conflicts() {
        let trace = RequestTrace(id: "1")
        var check = ConflictCheck(sent: nil, stored: nil)
        check.fields = (0..<ConflictCheck.mostFields).map { "\($0)" + String(repeating: "f", count: 200) }
        let refused = ServerError(.conflict, "no", .conflict(check))
        trace.note((0..<100).map { OperationRecord(index: $0, refused) })
        let request = HTTPRequest(method: .post, authority: "a", path: "/health")
        let record = RequestRecord(
            trace, time: Timestamp(milliseconds: 0), request, nil, address: nil, status: 200, bytesOut: 0)
        #expect(record.size > 100 * ConflictCheck.mostFields * 200)
    }

    @Test("Notes added after the record was made are not in it", arguments: [false, true])
    func ended(withValues: Bool) {
        let trace = RequestTrace(id: "1")
        let place = TrailStep.place(container: "iCloud.a", environment: .production, database: .private)
        trace.note([.credentials(.session), place], by: "_ann")
        let told = ServerError(.badRequest, "'\("secret")' is no name", .input)
        trace.note([OperationRecord(index: 0, recordName: "n", recordType: "T"), OperationRecord(index: 1, told)])
        let before = trace.notes
        let request = HTTPRequest(method: .post, authority: "a", path: "/")
        let record = RequestRecord(
            trace, time: Timestamp(milliseconds: 0), request, nil, address: "", status: 200, bytesOut: 7,
            hasValues: withValues)
        trace.note(.place(container: "iCloud.b", environment: .development, database: .public))
        trace.note(user: "_ben")
        trace.note([OperationRecord(index: 2, told)])
        trace.refuse(told)
        trace.add(RequestCost())
        trace.restore(before)
        #expect(record.steps == [.credentials(.session), place] && record.user == "_ann")
        #expect(record.container == "iCloud.a" && record.environment == .production && record.database == .private)
        #expect(record.succeeded == 1 && record.failed == 1 && record.isRefused && record.refusal == nil)
        #expect(record.operations.map { $0.reason?.contains("secret") } == [nil, withValues])
        #expect(record.address == nil && record.route == "unknown")
    }

    @Test("A reader continues after a position, even one already dropped")
    func positions() {
        let log = RequestLog(most: 3, bytes: 1 << 20)
        for number in 1...5 { log.add(record("\(number)")) }
        for (after, ids) in [(0, ["3", "4", "5"]), (3, ["4", "5"]), (5, []), (99, [])] as [(Int64, [String])] {
            let found = log.records(after: after, limit: 10, RequestFilter())
            #expect(found.records.map(\.id) == ids && found.next == 5)
        }
        #expect(log.records(after: 0, limit: 1, RequestFilter()).next == 3)
        #expect(log.records(after: .max, limit: 1, RequestFilter()).records.isEmpty)
    }

    @Test("Any position is accepted", arguments: [0, 5], [Int64.min, -1, 0, 1, 3, 99, .max])
    func anyPosition(count: Int, position: Int64) {
        let log = RequestLog(most: 3, bytes: 1 << 20)
        for number in 0..<count { log.add(record("\(number + 1)")) }
        let kept = log.records(after: nil, limit: 10, RequestFilter()).records
        let after = log.records(after: position, limit: 10, RequestFilter()).records
        let before = log.records(before: position, limit: 10, RequestFilter()).records
        #expect(after.map(\.id) == kept.filter { $0.position > position }.map(\.id))
        #expect(before.map(\.id) == kept.filter { $0.position < position }.map(\.id))
    }

    @Test("Operations and steps recorded for one request are bounded")
    func trace() {
        let trace = RequestTrace(id: "1")
        for number in 0..<1000 { trace.note(.schemaGrew(type: "\(number)")) }
        let refused = ServerError(.notFound, "no", .missing(.record))
        trace.note((0..<1000).map { OperationRecord(index: $0, refused) })
        trace.note((0..<1000).map { OperationRecord(index: $0, recordName: "n", recordType: nil) })
        let notes = trace.notes
        #expect(notes.steps.count <= 32 && notes.operations.count <= 120)
        #expect(notes.failed == 1000 && notes.succeeded == 1000)
    }
}

struct ReasonTests {
    @Test("A reason without client input keeps its words and numbers")
    func plain() {
        let secret = "hunter2"
        let reason: Reason =
            "field '\(secret)' of \(known: "Note") has \(3) values: \("a" as Reason) " + "and \(secret)"
        #expect(reason.text == "field 'hunter2' of Note has 3 values: a and hunter2")
        #expect(reason.plain == "field '…' of Note has 3 values: a and …")
    }
}
