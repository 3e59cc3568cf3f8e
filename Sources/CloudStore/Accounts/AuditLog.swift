package import CloudModel
import CloudSQL

/// A line of the audit log: an operator's change, or an operator's look at private data.
package struct AuditEntry: Hashable, Sendable {
    /// Increases from line to line.
    package let id: Int64
    package let time: Timestamp
    /// The operator: a management token, a command or the console.
    package let who: String
    /// The action in a few words, such as `created a container`.
    package let action: String
    package let container: String?
    package let environment: ContainerEnvironment?
    /// The owner of the data or account: an email address or a user record name.
    package let person: String?
    /// The action's object, such as a role, a share or a credential.
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

    /// Looks and changes have separate limits, so that looks do not displace changes.
    static let looks = """
        ALTER TABLE audit ADD COLUMN isLook INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX auditLooks ON audit(isLook, id);
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

/// The log of changes by operators, and of their looks at private data.
package struct AuditLog: Sendable {
    let database: AccountDatabase

    /// The largest number of lines, for changes and looks each, and the age at which a line is deleted.
    package static let (mostEntries, longest) = (Int64(100_000), Duration.seconds(400 * 86400))
    /// The number of lines after which surplus lines are deleted.
    private static let step = Int64(64)
    /// The time in which repeated looks leave one line.
    private static let oneLook = Duration.seconds(600)
    /// The largest number of characters of a text in a line.
    private static let longestText = 300

    /// Writes a change to the audit log, and deletes the oldest lines beyond the limits.
    package func note(_ note: AuditNote) async throws { try await write(note, isLook: false) }

    /// Writes a look to the audit log, unless the operator has had the same look within ten minutes: pages refresh themselves.
    package func noteLook(_ note: AuditNote) async throws {
        let now = database.now()
        // The plus makes SQLite use the index by time, which reads ten minutes instead of all looks.
        let isNoted = try await database.pool.read { db in
            try db.exists(
                """
                SELECT 1 FROM audit WHERE time > ? AND +isLook = 1 AND who = ? AND action = ?
                    AND coalesce(container, '') = ? AND coalesce(environment, '') = ? AND coalesce(person, '') = ?
                    AND coalesce(subject, '') = ?
                """, .seconds(now - Self.oneLook), .text(Self.cut(note.who)), .text(Self.cut(note.action)),
                .text(Self.cut(note.container ?? "")), .text(note.environment?.rawValue ?? ""),
                .text(Self.cut(note.person ?? "")), .text(Self.cut(note.subject ?? "")))
        }
        if !isNoted { try await write(note, isLook: true) }
    }

    private func write(_ note: AuditNote, isLook: Bool) async throws {
        let now = database.now()
        try await database.pool.write { db in
            let id = try db.insert(
                """
                INSERT INTO audit (time, who, action, container, environment, person, subject, isLook)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                """, .seconds(now), Self.shown(note.who), Self.shown(note.action), Self.shown(note.container),
                .text(optional: note.environment?.rawValue), Self.shown(note.person), Self.shown(note.subject),
                .bool(isLook))
            guard id % Self.step == 0 else { return }
            for isLook in [false, true] {
                try db.run(
                    """
                    DELETE FROM audit WHERE isLook = ?1 AND id <=
                        (SELECT id FROM audit WHERE isLook = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """, .bool(isLook), .integer(Self.mostEntries))
            }
            try db.run("DELETE FROM audit WHERE time < ?", .seconds(now - Self.longest))
        }
    }

    private static func cut(_ text: String) -> String { String(text.prefix(longestText)) }

    private static func shown(_ text: String?) -> SQLValue { .text(optional: text.map(cut)) }

    /// A page of the audit log, newest line first.
    ///
    /// - Parameters:
    ///   - id: only lines with a smaller id.
    ///   - person: only lines about this person.
    ///   - actions: only lines with these actions; empty for all.
    package func entries(
        before id: Int64? = nil, container: String? = nil, person: String? = nil, actions: [String] = [], limit: Int
    ) async throws -> [AuditEntry] {
        let places = actions.indices.map { "?\($0 + 5)" }.joined(separator: ", ")
        let isChosen = actions.isEmpty ? "" : "AND action IN (\(places))"
        return try await database.pool.read { db in
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
