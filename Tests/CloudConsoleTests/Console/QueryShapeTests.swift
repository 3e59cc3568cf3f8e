@testable import CloudHTTP
@testable import CloudConsole
import CloudModel
import Testing

/// Queries grouped by their shape, and the search that chooses among requests.
struct QueryShapeTests {
    private func record(_ id: String, index: String?, type: String = "Note", read: Int, answered: Int) -> RequestRecord
    {
        let trace = RequestTrace(id: id)
        trace.note(.index(type: type, lead: index, marks: []))
        var cost = RequestCost()
        cost.rowsRead = read
        trace.add(cost)
        trace.note(rowsAnswered: answered)
        let request = HTTPRequest(method: .post, authority: "a", path: "/")
        return RequestRecord(
            trace, time: Timestamp(milliseconds: 0), request, nil, address: nil, status: 200, bytesOut: 0)
    }

    @Test("Queries of one type and index form one shape, with count, times and rows")
    func group() {
        let records = [
            record("1", index: "stars", read: 10, answered: 2), record("2", index: "stars", read: 30, answered: 4),
            record("3", index: "stars", read: 50, answered: 6), record("4", index: nil, read: 9, answered: 9),
            record("5", index: "stars", type: "Other", read: 1, answered: 1),
        ]
        let shapes = QueryShape.group(records)
        #expect(shapes.count == 3)
        #expect(shapes.map(\.slowest.duration) == shapes.map(\.slowest.duration).sorted(by: >))
        let stars = shapes.first { $0.key.index == "stars" && $0.key.type == "Note" }
        let times = records[..<3].map(\.duration).sorted()
        #expect(stars?.count == 3 && stars?.median == times[1] && stars?.slowest.duration == times[2])
        #expect(stars?.meanRowsRead == 30 && stars?.meanRowsAnswered == 4)
    }

    @Test("Requests other than queries have no shape")
    func nonQueries() {
        let request = HTTPRequest(method: .get, authority: "a", path: "/health")
        let record = RequestRecord(
            RequestTrace(id: "1"), time: Timestamp(milliseconds: 0), request, nil, address: nil, status: 200,
            bytesOut: 0)
        #expect(QueryShape.group([record]).isEmpty)
    }

    @Test("Ten thousand queries of as many shapes are grouped")
    func many() {
        let records = (0..<10_000).map { record("\($0)", index: "f\($0)", read: 1, answered: 1) }
        #expect(QueryShape.group(records).count == 10_000)
    }

    @Test("A search word is taken for a code, user, route or container by its form")
    func search() {
        let search = RequestSearch(" conflict  _abc private/records/query iCloud.a ")
        #expect(search.words.map(\.kind) == [.code, .user, .route, .container])
        #expect(search.filter.code == .conflict && search.filter.user == "_abc")
        #expect(search.filter.route == "private/records/query" && search.filter.container == "iCloud.a")
        #expect(search.without(search.words[1]) == "conflict private/records/query iCloud.a")
        #expect(RequestSearch("").text == nil && RequestSearch("_a").without(RequestSearch.Word("_a")) == nil)
    }

    @Test("Of several search words of one kind the last counts")
    func repeated() {
        #expect(RequestSearch("_a NOT_FOUND _b").words.map(\.text) == ["NOT_FOUND", "_b"])
        let long = RequestSearch(Array(repeating: "_a b", count: 50_000).joined(separator: " "))
        #expect(long.words.count == 2)
    }
}
