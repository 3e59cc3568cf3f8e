import CloudSQL
import CloudStore

/// The row that every writer of a schema locks first: its table has no other.
///
/// It holds random ids of the last groups that were committed, the newest first. They tell a writer whether another has
/// written since, and whether a group is there whose COMMIT was not answered. Transaction numbers tell neither: after a
/// crash or a failover they are given out again.
struct LockedRow: Hashable, Sendable {
    /// The groups whose ids are kept: who lost a COMMIT looks for its own before others have written so many.
    static let mostGroups = 32

    static let records = LockedRow(table: "store")
    static let accounts = LockedRow(table: "revision")

    let table: String

    /// The change of the layout that makes the columns, beside those that both engines have.
    static let migration = "postgres 1 groups"

    var layout: String {
        "ALTER TABLE \(table) ADD COLUMN groups bigint[] NOT NULL DEFAULT '{}', ADD COLUMN history bigint"
    }

    /// Locks the row for a group; tells the group before it, and the history that the last epoch began in.
    ///
    /// - Parameter history: the database's own, noted where none was.
    func lock(for group: Int64, _ history: Int64?) -> String {
        let noted = history.map { ", history = COALESCE(history, \($0))" } ?? ""
        return """
            UPDATE \(table) SET groups = ARRAY[\(group)]::bigint[] || groups[1:\(Self.mostGroups - 1)]\(noted) \
            RETURNING groups[2], history
            """
    }

    /// Tells whether a group was committed, and the one before it, once whoever has the row locked has ended. As the lock is
    /// written to the log, the answer's own end waits for the standbys that commits wait for.
    ///
    /// - Parameter last: the group before it.
    func question(about group: Int64, after last: Int64?, in schema: String) -> String {
        """
        SELECT groups @> ARRAY[\(group)]::bigint[],
            groups @> ARRAY[\(last ?? group)]::bigint[] OR cardinality(groups) < \(Self.mostGroups)
        FROM "\(schema)".\(table) FOR UPDATE
        """
    }

    func keep(_ history: Int64) -> String { "UPDATE \(table) SET history = \(history)" }
}
