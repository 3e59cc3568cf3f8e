import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// Subscriptions of one user do not hinder the writes of others.
struct HarmlessSubscriptionTests {
    private static let searchable = (0..<12).map { "f\($0)" }

    /// A type with these fields SEARCHABLE, and one that nobody watches.
    private func prepare(_ store: EnvironmentStore, fields: [String] = searchable) async throws {
        let declarations = fields.map { "\($0) STRING SEARCHABLE" }.joined(separator: ", ")
        let grants = #"GRANT CREATE, WRITE, READ TO "_icloud""#
        try await store.schema.apply(
            "RECORD TYPE Note (\(declarations), \(grants)); RECORD TYPE Other (n INT64, \(grants));")
    }

    private static func search(_ words: some Sequence<String>, all: Bool = false) -> String {
        let comparator = all ? "CONTAINS_ALL_TOKENS" : "CONTAINS_ANY_TOKENS"
        let text = words.joined(separator: " ")
        return querySubscription(
            filters: #"{"comparator":"\#(comparator)","fieldValue":{"value":"\#(text)"}}"#)
    }

    private static var loose: Limits {
        var limits = Limits()
        limits.subscriptions.words = .max
        return limits
    }

    /// Words times fields are more terms than a query may have.
    @Test("A subscription that searches all fields is matched by the record's own words")
    func allFields() async throws {
        let store = try TemporaryStore().store
        try await prepare(store, fields: ["f0"])
        try await store.listen()
        let watch = Self.search((0..<900).map { "w\($0)" })
        guard case .saved = try await store.subscribe([("s", watch)], in: .public, limits: Self.loose)[0] else {
            Issue.record("it was refused")
            return
        }
        // Fields that become SEARCHABLE afterwards make the same search a larger one.
        try await prepare(store)
        let fields = #"{"f11":{"value":"a w899"}}"#
        for deed in [
            operation(.create, "a", fields: fields), operation(.forceUpdate, "a", fields: fields),
            operation(.forceDelete, "a"), operation(.create, "b", fields: #"{"f3":{"value":"w900"}}"#),
        ] {
            #expect(try await store.modify([deed], zone: .world, caller: .bob).errors == [nil])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let type = number % 4 == 0 ? "Note" : "Other"
                    let deed = operation(.create, "r\(number)", type: type)
                    let errors = try await store.modify([deed], zone: .world, caller: .bob).errors
                    #expect(errors == [nil])
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.news() == ["s+a", "s~a", "s-a"])
    }

    /// As a query would find it.
    @Test(
        "A subscription's words may be in any field of strings",
        arguments: [
            (["coast", "sea"], true, ["a"]), (["coast", "sky"], true, []), (["coast", "sky"], false, ["a", "b"]),
            (["CÔAST"], true, ["a"]), (["nothing"], false, []),
        ] as [([String], Bool, [String])])
    func anyField(words: [String], all: Bool, found: [String]) async throws {
        let store = try TemporaryStore().store
        try await prepare(store)
        try await store.listen()
        try await store.subscribe("s", Self.search(words, all: all), in: .public)
        let deeds = [
            operation(.create, "a", fields: #"{"f1":{"value":"The Coast"},"f2":{"value":"of a sea"}}"#),
            operation(.create, "b", fields: #"{"f1":{"value":"sky"}}"#), operation(.create, "c"),
        ]
        #expect(try await store.modify(deeds, zone: .world, caller: .bob).errors == [nil, nil, nil])
        #expect(try await store.news() == found.map { "s+\($0)" })
    }

    /// The values of a removed field may still be in a body.
    @Test("A removed field's words match no subscription") func removedField() async throws {
        let temporary = try TemporaryStore(pace: .slow)
        let store = temporary.store
        try await prepare(store)
        let records = (0..<8).map { operation(.create, "r\($0)", fields: #"{"f1":{"value":"coast"}}"#) }
        #expect(try await store.modify(records, zone: .world, caller: .bob).errors == records.map { _ in nil })
        try await prepare(store, fields: ["f0"])
        try await prepare(store)
        try await store.listen()
        try await store.subscribe("s", Self.search(["coast"]), in: .public)
        let deletions = (0..<8).map { operation(.forceDelete, "r\($0)") }
        #expect(try await store.modify(deletions, zone: .world, caller: .bob).errors == deletions.map { _ in nil })
        #expect(try await store.news() == [])
    }

    /// A failure while subscribers are told undoes that request, and no other of its group.
    @Test("A failing notification undoes only its own request") func failingNotification() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await prepare(store)
        try await store.listen()
        try await store.subscribe("s", querySubscription(), in: .public)
        try temporary.write { db in
            try db.script(
                Layout(
                    sqlite: """
                        CREATE TRIGGER broken BEFORE INSERT ON notifications BEGIN SELECT RAISE(ABORT, 'broken'); END
                        """,
                    postgres: """
                        CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                            RAISE integrity_constraint_violation;
                        END $$;
                        CREATE TRIGGER broken BEFORE INSERT ON notifications FOR EACH ROW EXECUTE FUNCTION broken();
                        """))
        }
        let failed = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let type = number % 3 == 0 ? "Note" : "Other"
                    let deed = operation(.create, "\(type)\(number)", type: type)
                    let result = try? await store.modify([deed], zone: .world, caller: .bob)
                    return result?.errors == [nil] ? nil : type
                }
            }
            return try await group.reduce(into: [String]()) { if let type = $1 { $0.append(type) } }
        }
        #expect(failed == Array(repeating: "Note", count: 20))
        #expect(try await store.query(#"{"recordType":"Note"}"#, zone: .world).names == [])
        #expect(try await store.query(#"{"recordType":"Other"}"#, zone: .world).names.count == 40)
    }

    @Test("A subscription that searches for too many words is refused") func tooManyWords() async throws {
        let store = try TemporaryStore().store
        try await prepare(store)
        let most = Limits().subscriptions.words
        let outcomes = try await store.subscribe(
            [most, most + 1].map { ("s\($0)", Self.search((0..<$0).map { "w\($0)" })) }, in: .public)
        guard case .saved = outcomes[0], case .failed(_, let error) = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(
            error == .badRequest("query searches for \(most + 1) words, a subscription's for \(most) at most"))
    }

    /// Each of these is asked at every change of the type; those with other values cost nothing.
    @Test(
        "Subscriptions of one user that are evaluated together are limited",
        arguments: [DatabaseScope.public, .private])
    func limit(scope: DatabaseScope) async throws {
        let store = try TemporaryStore().store
        try await store.schema.apply(
            #"RECORD TYPE Note (n INT64 QUERYABLE SORTABLE, s STRING QUERYABLE); RECORD TYPE Other (n INT64 QUERYABLE SORTABLE);"#
        )
        var limits = Limits()
        limits.subscriptions.similarPerUser = 2
        let ranges = (0..<3).map { filter("n", "\($0)", "GREATER_THAN") }
        let texts =
            ranges.map { querySubscription(filters: $0) }
            + ranges.map { querySubscription(filters: filter("s", "\"x\"") + "," + $0) }
            + (0..<3).map { querySubscription(filters: filter("s", "\"y\($0)\"")) } + [querySubscription("Other")]
        let outcomes = try await store.subscribe(
            texts.enumerated().map { ("s\($0)", $1) }, in: scope, limits: limits)
        var refused: [Int: String] = [:]
        for (index, outcome) in outcomes.enumerated() {
            if case .failed(_, let error) = outcome { refused[index] = error.reason }
        }
        let end = ", at most 2 are allowed"
        #expect(
            refused == [
                2: "there are 2 subscriptions to this record type without an EQUALS filter" + end,
                5: "there are 2 subscriptions to this record type with the same first EQUALS filter" + end,
            ])
        // One that is there may change, but not to join them.
        let change = try await store.subscribe(
            [("s0", texts[1]), ("s6", texts[0])], in: scope, limits: limits)
        guard case .saved = change[0], case .failed = change[1] else {
            Issue.record("\(change)")
            return
        }
    }
}
