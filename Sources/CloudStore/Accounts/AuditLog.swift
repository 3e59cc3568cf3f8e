package import CloudModel
import CloudSQL

/// One line of the audit log: what an operator changed, or whose private data they looked at.
package struct AuditEntry: Hashable, Sendable {
    /// Grows from line to line.
    package let id: Int64
    package let time: Timestamp
    /// The operator: a management token, a command or the console.
    package let who: String
    /// The action in a few words, such as `created a container`.
    package let action: String
    package let container: String?
    package let environment: ContainerEnvironment?
    /// The person whose data or account it was: an email address or a user record name.
    package let person: String?
    /// The thing that it was done to.
    package let subject: String?

    static let table = """
        -- What operators changed, and whose private data they looked at. Names stay when what they named goes.
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            time REAL NOT NULL,
            who TEXT NOT NULL,
            action TEXT NOT NULL,
            container TEXT,
            environment TEXT,
            person TEXT,
            subject TEXT
        );
        CREATE INDEX auditTime ON audit(time);
        """

    fileprivate init(row: SQLRow) {
        id = row.integer(0)
        time = row.timestamp(seconds: 1)
        who = row.text(2)
        action = row.text(3)
        container = row.optionalText(4)
        environment = row.optionalText(5).flatMap(ContainerEnvironment.init(rawValue:))
        person = row.optionalText(6)
        subject = row.optionalText(7)
    }
}

/// A line for the audit log, without its time.
package struct AuditNote: Hashable, Sendable {
    package var who: String
    package var action: String
    package var container: String?
    package var environment: ContainerEnvironment?
    package var person: String?
    package var subject: String?

    package init(
        who: String, action: String, container: String? = nil, environment: ContainerEnvironment? = nil,
        person: String? = nil, subject: String? = nil
    ) {
        self.who = who
        self.action = action
        self.container = container
        self.environment = environment
        self.person = person
        self.subject = subject
    }
}

extension AccountStore {
    /// The most lines that the audit log keeps, and the age at which a line goes.
    package static let (mostAuditEntries, longestAudit) = (Int64(100_000), Duration.seconds(400 * 86400))
    /// Characters of a text in a line.
    private static let longestAuditText = 300

    /// Writes a line to the audit log; the oldest lines beyond its bounds go.
    package func note(_ note: AuditNote) async throws {
        let now = now()
        try await pool.write { db in
            let id = try db.insert(
                """
                INSERT INTO audit (time, who, action, container, environment, person, subject)
                VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
                """, .seconds(now), Self.shown(note.who), Self.shown(note.action), Self.shown(note.container),
                .text(optional: note.environment?.rawValue), Self.shown(note.person), Self.shown(note.subject))
            try db.run("DELETE FROM audit WHERE id <= ?", .integer(id - Self.mostAuditEntries))
            try db.run("DELETE FROM audit WHERE time < ?", .seconds(now - Self.longestAudit))
        }
    }

    private static func shown(_ text: String?) -> SQLValue {
        .text(optional: text.map { String($0.prefix(longestAuditText)) })
    }

    /// A page of the audit log, the newest line first.
    ///
    /// - Parameters:
    ///   - id: only lines before this one.
    ///   - person: only lines about this person.
    ///   - actions: only lines about one of these; empty for all.
    package func auditEntries(
        before id: Int64? = nil, container: String? = nil, person: String? = nil, actions: [String] = [], limit: Int
    ) async throws -> [AuditEntry] {
        let places = actions.indices.map { "?\($0 + 5)" }.joined(separator: ", ")
        let isChosen = actions.isEmpty ? "" : "AND action IN (\(places))"
        return try await pool.read { db in
            var entries: [AuditEntry] = []
            try db.each(
                """
                SELECT id, time, who, action, container, environment, person, subject FROM audit
                WHERE id < ?1 AND (CAST(?2 AS TEXT) IS NULL OR container = ?2)
                    AND (CAST(?3 AS TEXT) IS NULL OR person = ?3) \(isChosen)
                ORDER BY id DESC LIMIT ?4
                """,
                [
                    .integer(id ?? .max), .text(optional: container), .text(optional: person),
                    .integer(Int64(limit)),
                ] + actions.map(SQLValue.text)
            ) { row in
                entries.append(AuditEntry(row: row))
                return true
            }
            return entries
        }
    }
}
