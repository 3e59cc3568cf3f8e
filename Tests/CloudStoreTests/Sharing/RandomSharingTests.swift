import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Long random histories of a zone with several shares, held against what visibility means in plain words: who
/// follows the feed holds exactly the records whose chain of parents ends at a root shared with them.
@Suite(.timeLimit(.minutes(20)))
struct RandomSharingTests {
    private struct Model {
        /// The parent of each live record.
        var parents: [String: String?] = [:]
        /// Roots, with the users who have accepted.
        var shares: [String: Set<String>] = [:]

        func visible(to user: String) -> Set<String> {
            var names: Set<String> = []
            for name in parents.keys {
                guard let root = root(of: name), shares[root]?.contains(user) == true else { continue }
                names.insert(name)
            }
            for (root, users) in shares where users.contains(user) { names.insert("share-\(root)") }
            return names
        }

        /// The first shared record on the way up; a root's own parent is of no account.
        func root(of name: String) -> String? {
            var seen: Set<String> = []
            var place: String? = name
            while let next = place, seen.insert(next).inserted {
                if shares[next] != nil { return next }
                place = parents[next] ?? nil
            }
            return nil
        }

        func children(of name: String) -> [String] { parents.filter { $0.value == name }.map(\.key) }
    }

    /// Somebody's copy of the zone, kept by following the feed.
    private struct Follower {
        let user: String
        var token: String?
        var records: Set<String> = []
    }

    @Test("Members who follow random changes have exactly the records that they see", arguments: 1...8)
    func memberFeeds(seed: UInt64) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        var generator = SeededGenerator(seed: seed)
        var model = Model()
        var followers = ["_bob", "_cleo"].map { Follower(user: $0) }
        for step in 0..<150 {
            try await change(&model, step, store, &generator)
            for index in followers.indices where Int.random(in: 0..<3, using: &generator) == 0 {
                try await follow(
                    &followers[index], limit: Int.random(in: 1...5, using: &generator), store)
                let expected = model.visible(to: followers[index].user)
                #expect(followers[index].records == expected, "seed \(seed), step \(step)")
                if followers[index].records != expected { return }
                try await lookups(followers[index].user, model, store)
            }
        }
    }

    private func lookups(_ user: String, _ model: Model, _ store: EnvironmentStore) async throws {
        let visible = model.visible(to: user)
        if visible.isEmpty { return }
        let names = model.parents.keys.sorted()
        let found = try await store.records.lookup(
            LookupRequest(zone: .notes, names: names, caller: .user(recordName: user)))
        for (name, result) in zip(names, found) { #expect(((try? result.get()) != nil) == visible.contains(name)) }
        let query = try Query(json(#"{"recordType":"Note"}"#), limits: Limits())
        let page = try await store.queries.query(
            QueryRequest(
                zone: .notes, zoneWide: false, query: query, continuationMarker: nil, limit: 200, strict: false,
                caller: .user(recordName: user), limits: Limits()))
        #expect(try Set(page.records.map(changeName)) == visible.filter { !$0.hasPrefix("share-") })
    }

    private func follow(_ follower: inout Follower, limit: Int, _ store: EnvironmentStore) async throws {
        while true {
            let page: (names: [String], token: String, more: Bool)
            do {
                page = try await store.changes(
                    since: follower.token, limit: limit, caller: .user(recordName: follower.user))
            } catch let error as ServerError {
                // The zone is gone, or was gone and is back: begin anew.
                follower.records = []
                if follower.token == nil || error.code == .zoneNotFound {
                    #expect(error.code == .zoneNotFound)
                    follower.token = nil
                    return
                }
                follower.token = nil
                continue
            }
            for name in page.names {
                if name.hasPrefix("-") {
                    follower.records.remove(String(name.dropFirst()))
                } else {
                    follower.records.insert(name)
                }
            }
            follower.token = page.token
            if !page.more { return }
        }
    }

    private func change(
        _ model: inout Model, _ step: Int, _ store: EnvironmentStore, _ generator: inout SeededGenerator
    ) async throws {
        let names = model.parents.keys.sorted()
        let name = names.randomElement(using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<4:
            // Few names, so that they are used again after deletions.
            let new = "r\(Int.random(in: 0..<25, using: &generator))"
            guard model.parents[new] == nil else { return }
            let above = Bool.random(using: &generator) ? name : nil
            _ = try await store.modify([operation(.create, new, more: above.map { parent($0) } ?? "")])
            model.parents[new] = .some(above)
        case 4..<7:
            guard let name, let other = names.randomElement(using: &generator), other != name else { return }
            let above = Int.random(in: 0..<4, using: &generator) == 0 ? nil : other
            let result = try await store.modify([operation(.forceUpdate, name, more: parent(above))])
            #expect(result.error() == nil)
            model.parents[name] = .some(above)
        case 7:
            guard let name, model.children(of: name).isEmpty else { return }
            let result = try await store.modify([operation(.forceDelete, name, type: nil)])
            #expect(result.error() == nil)
            model.parents[name] = nil
            model.shares[name] = nil
        case 8: try await share(name, &model, store)
        case 9:
            guard let root = model.shares.keys.sorted().randomElement(using: &generator) else { return }
            _ = try await store.modify([operation(.forceDelete, "share-\(root)", type: nil)])
            model.shares[root] = nil
        default: try await comeOrGo(&model, store, &generator)
        }
    }

    private func share(_ name: String?, _ model: inout Model, _ store: EnvironmentStore) async throws {
        guard let name else { return }
        let tag = try await store.record(name)["recordChangeTag"]?.string
        let result = try await store.modify(
            [sharing(name, as: "share-\(name)", tag: tag, permission: "READ_WRITE")], atomic: true)
        if result.error() == nil {
            #expect(model.root(of: name) == nil)
            model.shares[name] = []
        }
    }

    private func comeOrGo(
        _ model: inout Model, _ store: EnvironmentStore, _ generator: inout SeededGenerator
    ) async throws {
        guard let root = model.shares.keys.sorted().randomElement(using: &generator) else { return }
        let user = ["_bob", "_cleo"][Int.random(in: 0..<2, using: &generator)]
        let guid = try #require(try await store.record("share-\(root)")["shortGUID"]?.string)
        if model.shares[root]?.remove(user) == nil {
            try await store.accept(guid, as: user)
            model.shares[root]?.insert(user)
        } else {
            try await store.shares.end(guid, as: Person(userRecordName: user), limits: Limits())
        }
    }
}
