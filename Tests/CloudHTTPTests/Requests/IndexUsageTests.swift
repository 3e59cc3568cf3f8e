@testable import CloudHTTP
import TestCloud
import CloudModel
import Testing

@Suite("Counts of index marks") struct IndexUsageTests {
    private static let container = "iCloud.com.example.test"

    /// A query that used marks of fields, or that missed one.
    private func record(using fields: [String] = [], missing: String? = nil, at day: Int64) -> RequestRecord {
        let trace = RequestTrace(id: "1")
        trace.note(container: Self.container)
        trace.note(.place(container: Self.container, environment: .development, database: .public))
        if !fields.isEmpty {
            trace.note(
                .index(type: "Note", lead: nil, marks: fields.map { UsedMark(field: $0, mark: .queryable) }))
        }
        if let missing {
            trace.note(.refusedInProduction(.unmarked(type: "Note", field: missing, mark: "queryable")))
        }
        let request = HTTPRequest(method: .post, authority: "a", path: "/")
        return RequestRecord(
            trace, time: Self.noon(day), request, nil, address: nil, status: 200, bytesOut: 0)
    }

    private static func noon(_ day: Int64) -> Timestamp { Timestamp(milliseconds: day * 86_400_000 + 43_200_000) }

    private func used(_ usage: IndexUsage, on day: Int64) -> [String: Int] {
        let uses = usage.uses(container: Self.container, environment: .development, until: Self.noon(day))
        return Dictionary(uniqueKeysWithValues: (uses["Note"] ?? [:]).map { ($0.key.field, $0.value) })
    }

    private func missed(_ usage: IndexUsage, on day: Int64) -> [String: Int] {
        let found = usage.missed(container: Self.container, until: Self.noon(day))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.mark.field, $0.count) })
    }

    @Test("A new index mark is counted at any number of marks, and evicts the least recently used")
    func leastRecent() {
        let usage = IndexUsage(capacity: 4)
        for (index, field) in ["a", "b", "c", "d", "a", "e"].enumerated() {
            usage.note(record(using: [field], missing: field, at: 100 + Int64(index)))
        }
        #expect(used(usage, on: 105) == ["a": 2, "c": 1, "d": 1, "e": 1])
        #expect(missed(usage, on: 105) == ["a": 2, "c": 1, "d": 1, "e": 1])
    }

    @Test("Marks unused for seven days are evicted first, all of them")
    func expiredMarks() {
        let usage = IndexUsage(capacity: 4)
        for (day, field) in [(100, "a"), (100, "b"), (106, "c"), (106, "d"), (107, "e")] as [(Int64, String)] {
            usage.note(record(using: [field], at: day))
        }
        #expect(used(usage, on: 107) == ["c": 1, "d": 1, "e": 1])
        usage.note(record(using: ["f"], at: 107))
        #expect(used(usage, on: 107) == ["c": 1, "d": 1, "e": 1, "f": 1])
    }

    @Test("The number of marks never exceeds the bound, and the newest mark is kept")
    func bound() {
        let usage = IndexUsage(capacity: 10)
        for number in 0..<1000 {
            usage.note(record(using: ["f\(number)"], missing: "f\(number)", at: 100 + Int64(number) / 500))
            #expect(used(usage, on: 101)["f\(number)"] == 1 && missed(usage, on: 101)["f\(number)"] == 1)
            #expect(used(usage, on: 101).count <= 10 && missed(usage, on: 101).count <= 10)
        }
    }
}
