import CloudModel
import Testing

@testable import CloudOperations

/// The input and the answer of the routes of requests.
struct RequestPageTests {
    @Test(
        "A query for requests is refused with the name, the rule and the value",
        arguments: [
            ("code", "NO_SUCH", "code must be one of ", ", not 'NO_SUCH'"),
            ("slower", "86400001", "slower must be a whole number from 0 to 86400000, not '86400001'", ""),
            ("after", "-1", "after must be a whole number from 0 to 9223372036854775807, not '-1'", ""),
            ("limit", "1001", "limit must be a whole number from 1 to 1000, not '1001'", ""),
            ("limit", "", "limit must be a whole number from 1 to 1000, not ''", ""),
            ("refused", "perhaps", "refused must be true or false, not 'perhaps'", ""),
        ])
    func refusals(name: String, value: String, begin: String, end: String) throws {
        let error = #expect(throws: ServerError.self) { try RequestPage(Arguments([name: .string(value)])) }
        let reason = try #require(error?.reason)
        #expect(reason.hasPrefix(begin) && reason.hasSuffix(end), "\(reason)")
    }

    @Test("Without arguments the last 100 requests are asked for, of any kind")
    func defaults() throws {
        let page = try RequestPage([:])
        #expect(page.limit == 100 && page.after == nil && !page.refused && page.code == nil && page.slower == nil)
        let given = try RequestPage(["code": "conflict", "refused": "", "slower": "100", "user": "_a"])
        #expect(given.code == .conflict && given.refused && given.slower == 100 && given.user == "_a")
    }

    @Test("The schema of a decision has every kind of step and of cause")
    func kinds() {
        let kinds = RequestInfo.Kind.allCases.map(\.rawValue)
        #expect(Set(kinds) == Set(Cause.kinds + TrailStep.kinds) && Set(kinds).count == kinds.count)
        #expect(["atomic", "fault", "link", "production"].allSatisfy(kinds.contains))
    }
}
