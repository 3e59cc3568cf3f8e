import CloudAccounts
import CloudModel
import TestStore
import Testing

@testable import CloudTransfer

/// Page rules of a container whose records come from elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct MovedPageTests {
    @Test("After an import every page id is looked up in the container until its records are indexed")
    func imports() async throws {
        let here = try MovingFixture()
        let source = try await here.accounts.containers.create(name: "source")
        try await here.with(source, .production) { (store) async throws in try await store.makeZone() }
        try await here.export(source, to: "one")
        let target = try await here.accounts.containers.create(name: "target")
        let rule = #"{"recordType": "Trip", "title": "{name}"}"#
        try await here.accounts.pageRules.set(
            try PageRule(try JSONParser.parse(Array(rule.utf8))), container: target.name)
        let known = try #require(try await here.accounts.pageRules.list().first)
        try await here.accounts.pageRules.noteIndexed(known)
        #expect(try await here.accounts.pageRules.places(ofPublished: "x").isEmpty)
        try await here.take("one", into: target)
        #expect(try await here.accounts.pageRules.places(ofPublished: "x").map(\.container.name) == ["target"])
        // What was noted of the rule before the import is not of the records that came with it.
        try await here.accounts.pageRules.noteIndexed(known)
        #expect(try await here.accounts.pageRules.places(ofPublished: "x").count == 1)
    }
}
