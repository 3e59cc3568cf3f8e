import CloudEngine
import CloudModel
import CloudSQL

/// A role that an identity's groups gave to its account. Roles given by operators are not among them.
package struct GivenRole: Hashable, Sendable {
    package let account: Int64
    package let issuer: String
    package let subject: String
    package let role: GroupRole.Role

    static let table = Layout(
        sqlite: """
            CREATE TABLE givenRole (
                account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                role TEXT NOT NULL,
                provider TEXT NOT NULL,
                isWithdrawn INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (account, issuer, subject, role)
            ) WITHOUT ROWID;
            CREATE INDEX givenRoleProvider ON givenRole(provider);
            CREATE INDEX givenRoleWithdrawn ON givenRole(account) WHERE isWithdrawn = 1;
            """,
        postgres: """
            CREATE TABLE givenRole (
                account BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
                issuer TEXT COLLATE "C" NOT NULL,
                subject TEXT COLLATE "C" NOT NULL,
                role TEXT COLLATE "C" NOT NULL,
                provider TEXT COLLATE "C" NOT NULL,
                isWithdrawn BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (account, issuer, subject, role)
            );
            CREATE INDEX givenRoleProvider ON givenRole(provider);
            CREATE INDEX givenRoleWithdrawn ON givenRole(account) WHERE isWithdrawn = 1;
            """)

    fileprivate static let columns = "account, issuer, subject, role"

    /// Nil for a role that this version does not know.
    fileprivate init?(row: SQLRow) {
        guard let role = GroupRole.Role(row.text(3)) else { return nil }
        (account, issuer, subject, self.role) = (row.integer(0), row.text(1), row.text(2), role)
    }

    fileprivate var key: [SQLValue] { [.integer(account), .text(issuer), .text(subject), .text(role.text)] }
    fileprivate static let isKey = "account = ? AND issuer = ? AND subject = ? AND role = ?"
}

/// What changes with given roles in a transaction of the accounts: the rows, and operators at once. Custom roles are in other
/// databases; their rows are marked until these have followed.
enum GivenRoleTable {
    /// The roles of a person's groups now. New custom roles are not entered: nobody knows yet whether an operator gave them.
    static func set(
        _ roles: Set<GroupRole.Role>, of account: Int64, by person: ProvenPerson, now: Timestamp, in db: SQLConnection
    ) throws {
        let isByHand = try isOperatorByHand(account, in: db)
        try db.run(
            "UPDATE givenRole SET isWithdrawn = 1 WHERE account = ? AND issuer = ? AND subject = ?",
            .integer(account), .text(person.issuer), .text(person.subject))
        for role in roles {
            try db.run(
                "UPDATE givenRole SET isWithdrawn = 0, provider = ? WHERE \(GivenRole.isKey)",
                [
                    .text(person.provider), .integer(account), .text(person.issuer), .text(person.subject),
                    .text(role.text),
                ])
            guard role.operatorRole != nil, !isByHand else { continue }
            try insert(role, of: account, by: person, in: db)
        }
        try settleOperator(account, now: now, in: db)
    }

    static func insert(
        _ role: GroupRole.Role, of account: Int64, by person: ProvenPerson, in db: SQLConnection
    ) throws {
        try db.run(
            """
            INSERT INTO givenRole (account, issuer, subject, role, provider) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, .integer(account), .text(person.issuer), .text(person.subject), .text(role.text),
            .text(person.provider))
    }

    /// Withdraws what an identity gave, before it is disconnected.
    static func withdraw(
        issuer: String, subject: String, of account: Int64, now: Timestamp, in db: SQLConnection
    ) throws {
        try db.run(
            "UPDATE givenRole SET isWithdrawn = 1 WHERE account = ? AND issuer = ? AND subject = ?",
            .integer(account), .text(issuer), .text(subject))
        try settleOperator(account, now: now, in: db)
    }

    /// Withdraws what a provider gave and gives no more.
    ///
    /// - Parameter kept: the roles that its groups give still.
    static func withdraw(provider: String, keeping kept: [GroupRole], now: Timestamp, in db: SQLConnection) throws {
        let marks = Array(repeating: "?", count: kept.count).joined(separator: ", ")
        let isGone = kept.isEmpty ? "provider = ?" : "provider = ? AND role NOT IN (\(marks))"
        let values = [.text(provider)] + kept.map { SQLValue.text($0.role.text) }
        var operators: [Int64] = []
        try db.each("SELECT DISTINCT account FROM givenRole WHERE \(isGone) AND \(isOperatorRole)", values) {
            operators.append($0.integer(0))
            return true
        }
        try db.run("UPDATE givenRole SET isWithdrawn = 1 WHERE \(isGone)", values)
        for account in operators { try settleOperator(account, now: now, in: db) }
    }

    /// Makes a role as operator one that an operator gave, or that nobody has.
    static func forgetOperator(_ account: Int64, in db: SQLConnection) throws {
        try db.run("DELETE FROM givenRole WHERE account = ? AND \(isOperatorRole)", .integer(account))
    }

    private static let isOperatorRole: String = {
        let roles = OperatorRole.allCases.map { "'\(GroupRole.Role.operator($0).text)'" }
        return "role IN (\(roles.joined(separator: ", ")))"
    }()

    private static func isOperatorByHand(_ account: Int64, in db: SQLConnection) throws -> Bool {
        guard try OperatorAccounts.include(account, in: db) else { return false }
        return try !db.exists("SELECT 1 FROM givenRole WHERE account = ? AND \(isOperatorRole)", .integer(account))
    }

    /// Makes the account the operator that its groups make it. The last owner goes too: the group decides, and whoever is at
    /// the machine makes another. The audit log tells of it.
    private static func settleOperator(_ account: Int64, now: Timestamp, in db: SQLConnection) throws {
        let rows = try db.all(
            "SELECT role, isWithdrawn, provider FROM givenRole WHERE account = ? AND \(isOperatorRole)",
            .integer(account)
        ) { (role: GroupRole.Role($0.text(0))?.operatorRole, isWithdrawn: $0.bool(1), provider: $0.text(2)) }
        guard let provider = (rows.first(where: \.isWithdrawn) ?? rows.first)?.provider else { return }
        let given = rows.filter { !$0.isWithdrawn }.compactMap(\.role)
        let best = OperatorRole.allCases.last { given.contains($0) }
        try db.run(
            "DELETE FROM givenRole WHERE isWithdrawn = 1 AND account = ? AND \(isOperatorRole)", .integer(account))
        let current = try db.first("SELECT role FROM consoleOperator WHERE account = ?", .integer(account)) {
            $0.text(0)
        }
        guard best?.rawValue != current else { return }
        let note = AuditNote(
            who: "provider \(provider)", action: best == nil ? "took a role as operator" : "gave a role as operator",
            person: try UserAccount.require(id: account, in: db).handle, subject: best?.rawValue ?? current)
        try AuditLog.insert(note, now: now, in: db)
        guard let best else {
            try MadeCredentials.keepMaker(ofOperator: account, in: db)
            try db.run("DELETE FROM consoleOperator WHERE account = ?", .integer(account))
            return
        }
        if current == nil { try MadeCredentials.releaseMaker(ofOperator: account, in: db) }
        try db.run(
            """
            INSERT INTO consoleOperator (account, role, created) VALUES (?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET role = excluded.role
            """, .integer(account), .text(best.rawValue), .seconds(now))
        try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account))
    }
}

/// The roles that people have by their groups at providers.
package struct GivenRoles: Sendable {
    let database: AccountDatabase

    /// Roles that an account has by groups still.
    package func all(of account: Int64) async throws -> [GivenRole] {
        try await database.pool.read { db in
            try db.all(
                "SELECT \(GivenRole.columns) FROM givenRole WHERE account = ? AND isWithdrawn = 0", .integer(account),
                read: GivenRole.init(row:)
            ).compactMap(\.self)
        }
    }

    /// Custom roles to take away.
    ///
    /// - Parameter account: only those of this account; nil for all.
    package func withdrawn(of account: Int64? = nil, limit: Int) async throws -> [GivenRole] {
        try await database.pool.read { db in
            try db.all(
                """
                SELECT \(GivenRole.columns) FROM givenRole
                WHERE isWithdrawn = 1 AND (CAST(?1 AS BIGINT) IS NULL OR account = ?1)
                ORDER BY account, issuer, subject, role LIMIT ?2
                """, .integer(optional: account), .integer(Int64(limit)), read: GivenRole.init(row:)
            ).compactMap(\.self)
        }
    }

    /// Enters a role before it is given.
    package func enter(_ role: GroupRole.Role, of account: Int64, by person: ProvenPerson) async throws {
        try await database.pool.write { try GivenRoleTable.insert(role, of: account, by: person, in: $0) }
    }

    /// Removes a role that was taken away, unless a sign-in has given it again.
    package func remove(_ given: GivenRole) async throws {
        try await database.pool.write { db in
            _ = try db.run("DELETE FROM givenRole WHERE isWithdrawn = 1 AND \(GivenRole.isKey)", given.key)
        }
    }

    /// Makes a custom role one that an operator gave: no group takes it away.
    package func forget(_ role: GroupRole.Role, ofUser recordName: String, container: Int64) async throws {
        try await database.pool.write { db in
            _ = try db.run(
                """
                DELETE FROM givenRole WHERE role = ?
                    AND account IN (SELECT account FROM userRecord WHERE container = ? AND recordName = ?)
                """, .text(role.text), .integer(container), .text(recordName))
        }
    }
}

extension SignInProviders {
    package var givenRoles: GivenRoles { GivenRoles(database: database) }
}
