import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// One user's store as their devices see it.
@Suite(.timeLimit(.minutes(20)))
struct KeyValueStoreTests {
    private let temporary: TemporaryStore
    private var store: EnvironmentStore { temporary.store }

    init() throws { temporary = try TemporaryStore() }

    @Test("Of two writes to a key the later one wins") func laterWrite() async throws {
        _ = try await store.set(["a": "1", "b": "1"])
        _ = try await store.set(["b": "2"], remove: ["a"])
        #expect(try await store.texts() == ["b": "2"])
    }

    @Test("A write without a change token returns no overwritten values") func noToken() async throws {
        _ = try await store.set(["a": "1", "b": "1"])
        let second = try await store.set(["a": "2"])
        #expect(second.overwritten == [])
        #expect(second.moreComing)
        #expect(try await store.keyValues.changes(since: second.changeToken).reason == .initialSync)
    }

    @Test("A write returns the values of other devices that it overwrites") func overwritten() async throws {
        let token = try await store.set(["a": "1", "b": "1", "c": "1", "d": "1"]).changeToken
        _ = try await store.set(["a": "2", "d": "2"], remove: ["b"], since: token)
        let late = try await store.set(["a": "3", "b": "3", "c": "3"], remove: ["d"], since: token)
        #expect(late.overwritten.texts == ["a": "2", "b": nil, "d": "2"])
        #expect(try await store.texts() == ["a": "3", "b": "3", "c": "3"])
    }

    @Test("Values that a client wrote itself are not reported as overwritten") func ownWrites() async throws {
        let token = try await store.set(["a": "1"], client: "phone").changeToken
        _ = try await store.set(["z": "1"], client: "tablet")
        let second = try await store.set(["a": "2"], since: token, client: "phone")
        #expect(second.moreComing && second.changeToken == token)
        #expect(try await store.set(["a": "3"], since: token, client: "phone").overwritten == [])
        #expect(try await store.set(["a": "4"], since: token, client: "tablet").overwritten.texts == ["a": "3"])
    }

    @Test("The token after a write skips that write only when no earlier change is unseen")
    func tokenAfterWrite() async throws {
        let begin = try await store.keyValues.changes().changeToken
        let mine = try await store.set(["a": "1"], since: begin)
        #expect(!mine.moreComing)
        #expect(try await store.keyValues.changes(since: mine.changeToken).changes == [])
        _ = try await store.set(["b": "1"])
        let late = try await store.set(["c": "1"], since: mine.changeToken)
        #expect(late.moreComing && late.changeToken == mine.changeToken)
        #expect(try await store.keyValues.changes(since: late.changeToken).changes.map(\.key) == ["b", "c"])
    }

    @Test("Sending a key-value write twice changes nothing the second time")
    func repeatedWrite() async throws {
        let token = try await store.keyValues.changes().changeToken
        let first = try await store.set(["a": "1"], remove: ["nothing"], since: token)
        let again = try await store.set(["a": "1"], remove: ["nothing"], since: token)
        #expect(again.overwritten == [])
        #expect(try await store.keyValues.changes(since: first.changeToken).changes == [])
        #expect(try await store.keyValues.all(user: "_alice").changeToken == first.changeToken)
    }

    @Test("The pages of key-value changes hold each change once", arguments: 1...4)
    func pages(limit: Int) async throws {
        let begin = try await store.keyValues.changes().changeToken
        _ = try await store.set(["a": "1", "b": "1", "c": "1", "d": "1", "e": "1"])
        _ = try await store.set(["b": "2"], remove: ["d"])
        for begin in [nil, begin] {
            var token = begin
            var keys: [String] = []
            var reasons: [KeyValueReason] = []
            while true {
                let page = try await store.keyValues.changes(since: token, limit: limit)
                #expect(page.changes.count <= limit)
                // Who begins anew is not told on the first page of what is gone.
                keys += page.changes.filter { $0.json != nil || begin != nil }.map(\.key)
                reasons.append(page.reason)
                token = page.changeToken
                if !page.moreComing { break }
            }
            #expect(keys == (begin == nil ? ["a", "c", "e", "b"] : ["a", "c", "e", "b", "d"]))
            #expect(reasons.first == (begin == nil ? .initialSync : .serverChange))
            #expect(reasons.dropFirst().allSatisfy { $0 == .serverChange })
        }
    }

    @Test("An empty store answers INITIAL_SYNC the first time only") func emptyStore() async throws {
        let first = try await store.keyValues.changes()
        #expect(first.reason == .initialSync && first.changes == [] && !first.moreComing)
        #expect(try await store.keyValues.changes(since: first.changeToken).reason == .serverChange)
    }

    @Test("With another user's token changes answers ACCOUNT_CHANGE") func otherToken() async throws {
        _ = try await store.set(["a": "1"])
        let bobs = try await store.set(["b": "1"], as: "_bob").changeToken
        let page = try await store.keyValues.changes(since: bobs)
        #expect(page.reason == .accountChange && page.changes.map(\.key) == ["a"])
        let error = await #expect(throws: ServerError.self) { try await store.set(["a": "2"], since: bobs) }
        #expect(error?.code == .conflict)
        #expect(try await store.texts() == ["a": "1"])
    }

    @Test("An unknown change token starts over") func unknownToken() async throws {
        let old = try await store.set(["a": "1"]).changeToken
        let zone = try await store.zones.changes(owner: "_alice", syncToken: nil, limit: 9).syncToken
        let stranger = try TemporaryStore()
        let strange = try await stranger.store.set(["a": "1"]).changeToken
        let forged = String(old.dropLast(4)) + "AAAA"
        for token in ["", "nonsense", zone, strange, forged] {
            #expect(try await store.keyValues.changes(since: token).reason == .initialSync)
            await #expect(throws: ServerError.self) { try await store.set(["a": "2"], since: token) }
        }
        try await store.close()
        try await temporary.execute("UPDATE store SET incarnation = incarnation / 2 + 1")
        #expect(try await temporary.open().keyValues.changes(since: old).reason == .initialSync)
    }

    @Test("A user sees no values of another") func users() async throws {
        let token = try await store.set(["a": "1"]).changeToken
        _ = try await store.set(["a": "2"], as: "_bob")
        #expect(try await store.texts() == ["a": "1"])
        #expect(try await store.texts(of: "_bob") == ["a": "2"])
        #expect(try await store.keyValues.changes(since: token).changes == [])
        #expect(try await store.texts(of: "_carol") == [:])
    }

    @Test("Keys are told apart by their bytes") func keyBytes() async throws {
        // PostgreSQL's text has no zero character, so there such a key is refused.
        let low = ChosenEngine.isPostgres ? "a\u{1}" : "a\0"
        _ = try await store.set(["a": "1", "A": "2", "\u{e9}": "3", low: "4", " a": "5"])
        _ = try await store.set(["e\u{301}": "6"])
        let found = try await store.keyValues.all(user: "_alice").values
        let expected = [" a", "A", "a", low, "e\u{301}", "\u{e9}"]
        #expect(found.map { Array($0.key.utf8) } == expected.map { Array($0.utf8) })
        #expect(found.map(\.text) == ["5", "2", "1", "4", "6", "3"])
    }
}
