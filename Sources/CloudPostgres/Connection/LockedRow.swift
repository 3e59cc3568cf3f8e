import CloudSQL

/// The row that every writer of a schema locks first, alone in its table.
///
/// It stores random ids of recently committed groups, newest first. They show whether another writer has committed, and
/// whether a group with an unanswered COMMIT was committed. Transaction ids show neither: PostgreSQL may reuse them
/// after a crash or failover.
struct LockedRow: Hashable, Sendable {
    /// The number of stored ids: a lost COMMIT must be resolved before this many later commits.
    static let mostGroups = 32

    static let records = LockedRow(table: "store")
    static let accounts = LockedRow(table: "revision")

    let table: String

    /// The migration that adds the PostgreSQL columns.
    static let migration = "postgres 1 groups"

    var layout: String {
        "ALTER TABLE \(table) ADD COLUMN groups bigint[] NOT NULL DEFAULT '{}', ADD COLUMN history bigint"
    }

    /// SQL that locks the row for a group; returns the previous group and the history of the last epoch.
    ///
    /// - Parameter history: the current history, stored if the row has none.
    func lock(for group: Int64, _ history: Int64?) -> String {
        let noted = history.map { ", history = COALESCE(history, \($0))" } ?? ""
        return """
            UPDATE \(table) SET groups = ARRAY[\(group)]::bigint[] || groups[1:\(Self.mostGroups - 1)]\(noted) \
            RETURNING groups[2], history
            """
    }

    /// SQL that asks whether a group and its predecessor were committed, after waiting for the row's lock. Locking
    /// writes to the log, so the transaction's end waits for synchronous standbys like a commit.
    ///
    /// - Parameter last: the preceding group.
    func question(about group: Int64, after last: Int64?, in schema: String) -> String {
        """
        SELECT groups @> ARRAY[\(group)]::bigint[],
            groups @> ARRAY[\(last ?? group)]::bigint[] OR cardinality(groups) < \(Self.mostGroups)
        FROM "\(schema)".\(table) FOR UPDATE
        """
    }

    func keep(_ history: Int64) -> String { "UPDATE \(table) SET history = \(history)" }
}
