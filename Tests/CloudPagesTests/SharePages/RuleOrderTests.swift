import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// Public pages in the order that their rule names.
@Suite(.timeLimit(.minutes(5)))
struct RuleOrderTests {
    private static let rule = """
        {"recordType": "Show", "title": "{title}",
         "items": {"recordType": "Reel", "join": {"field": "show", "equals": "show"}, "sortBy": "place",
                   "asset": "photos"}}
        """

    /// Makes a page whose records stand the other way round than they were made.
    private func publish(_ trip: TripFixture, records: Int, pictures: Int) async throws {
        let rule = try PageRule(try JSONParser.parse(Array(Self.rule.utf8)))
        try await trip.server.accounts.pageRules.set(rule, container: TripFixture.container)
        try await trip.sender.save(
            in: "public", "show", type: "Show", fields: #""show": {"value": "show"}, "title": {"value": "Reels"}"#)
        let photo = try TripFixture.photo("flower")
        for number in 0..<records {
            let name = "r\(number)"
            let value = try await trip.upload(photo, name, "Reel", "photos", in: "public", trip.sender)
            let values = Array(repeating: value, count: pictures).joined(separator: ", ")
            try await trip.sender.save(
                in: "public", name, type: "Reel",
                fields: """
                    "show": {"value": "show"}, "place": {"value": \(records - number)},
                    "photos": {"value": [\(values)], "type": "ASSETID_LIST"}
                    """)
        }
    }

    @Test(
        "A part has at most 100 pictures or one record, and all are reached in the rule's order",
        arguments: [(records: 23, pictures: 10), (3, 101), (2, 50), (120, 1)])
    func parts(records: Int, pictures: Int) async throws {
        try await TripFixture.run { trip in
            try await publish(trip, records: records, pictures: pictures)
            var (path, found, parts): (String?, [String], Int) = ("/share/show", [], 0)
            while let part = path {
                let page = try await trip.server.send(.get, part)
                #expect(page.status == 200, "\(page.text.prefix(200))")
                let marks = page.text.matches(of: #/data-mark="([^"]+)"/#).map { String($0.output.1) }
                #expect(marks.count <= max(100, pictures))
                found += marks
                parts += 1
                path = page.text.firstMatch(of: #/rel="next" href="([^"]+)"/#).map {
                    String($0.output.1).replacing("&amp;", with: "&")
                }
            }
            let expected = (0..<records).reversed().flatMap { record in
                (0..<pictures).map { ItemKey(recordName: "r\(record)", field: "photos", index: $0).mark }
            }
            #expect(found == expected)
            #expect(parts == (records * pictures + max(100, pictures) - 1) / max(100, pictures))
        }
    }
}
