import CloudEngine
import CloudModel
import CloudSQL

/// A user's data that other users of the container may see.
package struct DirectoryEntry: Hashable, Sendable {
    package let userRecordName: String
    package let email: String?
    package let givenName: String?
    package let familyName: String?

    /// - Parameter row: the values of ``columns``.
    init(row: SQLRow) {
        userRecordName = row.text(0)
        email = row.optionalText(1)
        givenName = row.optionalText(2)
        familyName = row.optionalText(3)
    }

    static let columns = "userRecord.recordName, account.email, account.givenName, account.familyName"
}

/// A key for finding a user (reference B §5.3).
package enum UserHandle: Hashable, Sendable {
    case email(String), phone(String), recordName(String)
}

/// The users of containers: accounts with a user record name.
package struct ContainerUsers: Sendable {
    package let database: AccountDatabase

    private static let entries =
        "SELECT \(DirectoryEntry.columns) FROM userRecord JOIN account ON account.id = userRecord.account"

    /// Finds users of a container by handle, in the order of `handles`; nil for a handle without a user.
    ///
    /// A person becomes a user of a container at the first sign-in there. Unverified addresses and disabled accounts are not
    /// found.
    package func users(_ handles: [UserHandle], container: Int64) async throws -> [DirectoryEntry?] {
        try await database.pool.read { db in
            let query = { (condition: String) in
                Self.entries + " WHERE container = ? AND disabled = 0 AND \(condition) ORDER BY account LIMIT 1"
            }
            let byEmail = query("emailKey = ? AND emailVerified = 1")
            let byPhone = query("phone = ?")
            let byRecordName = query("recordName = ?")
            return try handles.map { handle in
                let (sql, key) =
                    switch handle {
                    case .email(let email): (byEmail, EmailAddress.key(email))
                    case .phone(let phone): (byPhone, PhoneNumber.key(phone))
                    case .recordName(let name): (byRecordName, name)
                    }
                if key.hasNullCharacter { return nil }
                return try db.first(sql, .integer(container), .text(key), read: DirectoryEntry.init(row:))
            }
        }
    }

    /// The users of a container, oldest first.
    package func users(container: Int64, limit: Int) async throws -> [DirectoryEntry] {
        try await database.pool.read { db in
            try db.all(
                Self.entries + " WHERE container = ? AND disabled = 0 ORDER BY account LIMIT ?", .integer(container),
                .integer(Int64(limit)), read: DirectoryEntry.init(row:))
        }
    }
}
