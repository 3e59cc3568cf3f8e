import CloudModel
import CloudSQL

/// Changes in owners' storage since the last commit, checked against quotas.
package final class UsagePart: TransactionPart {
    private static let mostRemembered = 10_000

    private var counts = Undoable<[String: Usage]>([:])
    /// The committed usage by owner, without ``counts``, of owners with a checked quota; "" stands for all owners together.
    private var stored: [String: Usage] = [:]
    /// Asset bytes by owner when the numbered request started.
    private var assetsBefore: (request: Int, bytes: [String: Int64]) = (0, [:])

    private static let everybody = ""

    /// Adds to an owner's usage; negative amounts reduce it.
    package func add(bytes: Int, records: Int, owner: String) {
        counts.now[owner, default: Usage()].add(Usage(bytes: Int64(bytes), records: Int64(records)))
    }

    func begin() { counts.begin() }
    func undo() { counts.undo() }
    func keep() { counts.keep() }

    func flush(_ db: SQLConnection) throws {
        for (owner, usage) in counts.now { try UsageTable.add(usage, owner: owner, db) }
    }

    func committed() {
        for (owner, usage) in counts.now {
            stored[owner]?.add(usage)
            stored[Self.everybody]?.add(usage)
        }
        counts.now.removeAll()
        if stored.count > Self.mostRemembered { stored.removeAll() }
    }

    func lost(_ db: SQLConnection) {
        counts.reset(to: [:])
        stored.removeAll()
    }

    // MARK: Quotas

    /// Called before a record of an owner gains or loses an asset.
    func willChangeAssets(of owner: String, _ transaction: WriteTransaction) throws {
        guard transaction.context?.quotas?.boundsAssets == true else { return }
        if assetsBefore.request != transaction.request { assetsBefore = (transaction.request, [:]) }
        for owner in [owner, Self.everybody] where assetsBefore.bytes[owner] == nil {
            assetsBefore.bytes[owner] = try find(owner, transaction.db).assets
        }
    }

    /// Refuses a request that increases a usage beyond its quota.
    func finish(_ transaction: WriteTransaction) throws {
        guard let quotas = transaction.context?.quotas else { return }
        let before = counts.atFirst
        var all = (now: Usage(), before: Usage())
        for (owner, now) in counts.now {
            let before = before[owner] ?? Usage()
            all.now.add(now)
            all.before.add(before)
            let bound = QuotaBound(quotas, owner: owner)
            try check(now, before, owner: owner, bound, transaction.db)
        }
        try check(all.now, all.before, owner: Self.everybody, QuotaBound(quotas, owner: nil), transaction.db)
        guard assetsBefore.request == transaction.request else { return }
        for (owner, before) in assetsBefore.bytes {
            let now = try find(owner, transaction.db).assets
            let bound = QuotaBound(quotas, owner: owner == Self.everybody ? nil : owner)
            if now > before { try bound?.check(now, .assetBytes) }
        }
    }

    private func check(
        _ now: Usage, _ before: Usage, owner: String, _ bound: QuotaBound?, _ db: SQLConnection
    ) throws {
        guard let bound, now.records > before.records || now.bytes > before.bytes else { return }
        if stored[owner] == nil { stored[owner] = try find(owner, db) }
        let known = stored[owner] ?? Usage()
        if now.records > before.records { try bound.check(known.records + now.records, .records) }
        if now.bytes > before.bytes { try bound.check(known.bytes + now.bytes, .bytes) }
    }

    private func find(_ owner: String, _ db: SQLConnection) throws -> Usage {
        try owner == Self.everybody ? UsageTable.total(db) : UsageTable.find(owner: owner, db)
    }
}

extension WriteTransaction {
    package var usage: UsagePart { part() }
}
