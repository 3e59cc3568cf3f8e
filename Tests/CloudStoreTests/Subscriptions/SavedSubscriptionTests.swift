import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Subscriptions as they are saved, found and deleted (reference B §6.3–§6.5).
struct SavedSubscriptionTests {
    private func store() async throws -> EnvironmentStore {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "seed", fields: #"{"n":{"value":1}}"#)])
        return store
    }

    @Test("Creating a subscription again changes nothing") func createdAgain() async throws {
        let store = try await store()
        let first = try await store.subscribe([("s", zoneSubscription())])
        #expect(try await store.subscribe([("s", zoneSubscription())]) == first)
        #expect(try await store.subscriptionNames() == ["s"])
    }

    @Test("Creating another subscription of an id replaces it") func replaced() async throws {
        let store = try await store()
        try await store.listen()
        try await store.subscribe("s", querySubscription(filters: filter("n", "1"), more: #""zoneWide":true"#))
        try await store.subscribe("s", querySubscription(filters: filter("n", "2"), more: #""zoneWide":true"#))
        for value in 1...2 {
            _ = try await store.modify([operation(.create, "r\(value)", fields: #"{"n":{"value":\#(value)}}"#)])
        }
        #expect(try await store.news() == ["s+r2"])
    }

    @Test("Updating a missing subscription fails, deleting it succeeds") func missing() async throws {
        let store = try await store()
        guard case .failed("s", let error) = try await store.subscribe([("s", zoneSubscription())], type: "update")[0]
        else {
            Issue.record("it was updated")
            return
        }
        #expect(error.code == .notFound)
        #expect(
            try await store.subscribe([("s", zoneSubscription())], type: "delete") == [.deleted(name: "s", type: nil)])
    }

    @Test("Each user has their own subscriptions in each database") func separation() async throws {
        let store = try await store()
        try await store.subscribe("s", databaseSubscription)
        try await store.subscribe("t", databaseSubscription, in: .shared)
        try await store.subscribe("u", querySubscription(), user: "_bob", in: .public)
        #expect(try await store.subscriptionNames("_alice", in: .private) == ["s"])
        #expect(try await store.subscriptionNames("_alice", in: .shared) == ["t"])
        #expect(try await store.subscriptionNames("_alice", in: .public) == [])
        #expect(try await store.subscriptionNames("_bob", in: .public) == ["u"])
        #expect(try await store.subscriptions.find(["s"], of: "_bob", in: .private) == [nil])
    }

    @Test(
        "A subscription to an unknown type, field or zone is refused",
        arguments: [
            (zoneSubscription("Nowhere"), ServerError.Code.zoneNotFound, "Zone not found"),
            (querySubscription("Unheard"), .notFound, "Did not find record type: Unheard"),
            (querySubscription(filters: filter("unheard", "1")), .badRequest, "Unknown field 'unheard'"),
            (querySubscription(filters: filter("n", "\"x\"")), .badRequest, "n"),
        ])
    func unknown(text: String, code: ServerError.Code, reason: String) async throws {
        let outcomes = try await store().subscribe([("s", text)])
        guard case .failed("s", let error) = outcomes[0] else {
            Issue.record("it was saved")
            return
        }
        #expect(error.code == code)
        #expect(error.reason.contains(reason))
    }

    @Test("A subscription over the limit is refused with the number") func limit() async throws {
        var limits = Limits()
        limits.subscriptions.perUser = 2
        let store = try await store()
        let outcomes = try await store.subscribe(
            ["a", "b", "c", "a"].map { ($0, databaseSubscription) }, limits: limits)
        guard case .failed("c", let error) = outcomes[2], case .saved = outcomes[3] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(error.reason == "there are 2 subscriptions, at most 2 are allowed")
    }

    /// The original's own words for a second one with the same record type and reasons.
    @Test("With unique subscriptions on, a second one of a type is refused") func unique() async throws {
        let store = try await store()
        let twins = [
            ("a", querySubscription(on: #""create""#)), ("b", querySubscription(on: #""create""#)),
            ("c", querySubscription(on: #""create","update""#)), ("a", querySubscription(on: #""create""#)),
        ]
        let outcomes = try await store.subscribe(twins, refusesDuplicates: true)
        guard case .failed("b", let error) = outcomes[1] else {
            Issue.record("it was saved")
            return
        }
        #expect(error == ServerError(.internalError, "could not find subscription we just created", .server(.fault)))
        #expect(try await store.subscriptionNames() == ["a", "c"])
        #expect(try await store.subscribe(twins).count { if case .saved = $0 { true } else { false } } == 4)
        let again = try await store.subscribe([twins[1]], refusesDuplicates: true)[0]
        guard case .saved = again else {
            Issue.record("making the same again is nothing new")
            return
        }
    }
}
