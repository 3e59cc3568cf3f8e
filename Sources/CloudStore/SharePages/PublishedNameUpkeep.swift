package import CloudAccounts
package import CloudModel
import CloudSQL

extension ContainerStores {
    /// The time until all servers know a new rule, including clock differences.
    private static let ruleKnownAfter = Duration.seconds(300)

    /// Notes the records of new page rules, and of rules whose environments received records without notes.
    package func indexPageRules() async throws {
        let settled = (accounts.now() - Self.ruleKnownAfter).milliseconds
        for rule in try await accounts.pageRules.list() where rule.changed != rule.indexed && rule.changed <= settled {
            for environment in ContainerEnvironment.allCases {
                let store = try await existing(container: rule.container, environment: environment)
                try await store?.sharePages.notePublished(type: rule.rule.recordType) { [pageNews] in
                    pageNews.tell($0.map(PageChange.published), rule.container, environment)
                }
            }
            try await accounts.pageRules.noteIndexed(rule)
        }
    }

    /// Removes the names of deleted records, in environments used since the last sweep.
    ///
    /// - Parameter onFailure: called with the error of an environment; the other environments are swept nevertheless.
    package func sweepPublishedNames(
        onFailure: (Container, ContainerEnvironment, any Error) -> Void
    ) async throws {
        let now = accounts.now()
        try await forEach(.publishedNames, now: now, onFailure: onFailure) { _, store in
            try await store.sharePages.sweepPublishedNames(now: now)
        }
    }
}

extension SharePageStore {
    private static let batch = 500
    /// The shortest time a name without a record is kept: longer than a write takes from note to commit.
    private static let leastAge = Duration.seconds(3600)
    private static let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)

    /// Notes the name of every public record of a type, so that share pages are found by record name.
    ///
    /// - Parameter tell: called with the names that have been noted.
    package func notePublished(type: String, tell: ([String]) -> Void = { _ in }) async throws {
        guard let index = stored.publishedNames else { return }
        // Waits for writes that began without the rule, so that the reads below see their records.
        try await stored.writes.write(for: nil) { _ in }
        var last: Int64 = 0
        while true {
            let (published, after) = (stored.published, last)
            let records = try await stored.reads.read { db in
                try Self.records(of: type, after: after, published.current(db), db)
            }
            if !records.isEmpty {
                try index.note(records.map(\.name))
                tell(records.map(\.name))
            }
            guard records.count == Self.batch, let end = records.last else { return }
            last = end.id
        }
    }

    private static func records(
        of type: String, after id: Int64, _ catalog: Catalog, _ db: SQLConnection
    ) throws -> [(id: Int64, name: String)] {
        guard let type = catalog.types[type], let zone = try ZoneTable.find(zone, db) else { return [] }
        return try db.all(
            """
            SELECT v.id, r.name FROM \(SchemaTables.table(type)) v /*!CROSS*/ JOIN records r ON r.id = v.id
            WHERE v.zone = ? AND v.id > ? ORDER BY v.id LIMIT ?
            """, .integer(zone.id), .integer(id), .integer(Int64(batch))
        ) { (id: $0.integer(0), name: $0.text(1)) }
    }

    /// Removes names without a record that were noted at least an hour ago.
    ///
    /// - Returns: the time of the next removal; nil if none is due before the environment's next use.
    package func sweepPublishedNames(now: Timestamp) async throws -> Timestamp? {
        guard let index = stored.publishedNames else { return nil }
        let oldest = (now - Self.leastAge).milliseconds
        var (last, next) = ("", Timestamp?.none)
        while true {
            let names = try await index.list(after: last, limit: Self.batch)
            let types = try await index.currentTypes()
            let published = stored.published
            let gone = try await stored.reads.read { db in
                try Self.gone(names, types, published.current(db), db)
            }
            if gone.contains(where: { $0.noted > oldest }) { next = now + Self.leastAge }
            let due = gone.filter { $0.noted <= oldest }
            if !due.isEmpty { try await index.remove(due) }
            guard names.count == Self.batch, let end = names.last else { return next }
            last = end.name
        }
    }

    /// The names without a public record of these types.
    private static func gone(
        _ names: [PublishedName], _ types: Set<String>, _ catalog: Catalog, _ db: SQLConnection
    ) throws -> [PublishedName] {
        guard let zone = try ZoneTable.find(zone, db) else { return names }
        let ids = Set(types.compactMap { catalog.types[$0]?.id })
        return try names.filter { name in
            let type = try db.first(
                "SELECT record_type FROM records WHERE zone = ? AND name = ? AND record_type IS NOT NULL",
                .integer(zone.id), .text(name.name)
            ) { $0.integer(0) }
            return type.map { !ids.contains($0) } ?? true
        }
    }
}
