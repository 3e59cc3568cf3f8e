import Foundation
import GRDB

/// One user as other users of the same container may see them.
package struct DirectoryEntry: Hashable, Sendable {
    package let userRecordName: String
    package let email: String
    package let givenName: String?
    package let familyName: String?

    init(row: Row) {
        userRecordName = row["recordName"]
        email = row["email"]
        givenName = row["givenName"]
        familyName = row["familyName"]
    }
}

/// By what a user is looked for (reference B §5.3).
package enum UserHandle: Hashable, Sendable {
    case email(String), phone(String), recordName(String)
}

extension AccountStore {
    private static let entries = "SELECT * FROM userRecord JOIN account ON account.id = userRecord.account"

    /// The users of a container that the handles name, each in its handle's place; nil where there is none.
    ///
    /// Somebody is a user of a container once they have signed in there. An address that nobody has verified
    /// finds nobody, and so does a disabled account.
    package func users(_ handles: [UserHandle], container: Int64) async throws -> [DirectoryEntry?] {
        try await pool.read { db in
            let query = { (condition: String) in
                try db.cachedStatement(
                    sql: Self.entries
                        + " WHERE container = ? AND NOT disabled AND \(condition) ORDER BY account LIMIT 1")
            }
            let byEmail = try query("emailKey = ? AND emailVerified")
            let byPhone = try query("phone = ?")
            let byRecordName = try query("recordName = ?")
            return try handles.map { handle in
                let (statement, key) =
                    switch handle {
                    case .email(let email): (byEmail, EmailAddress.key(email))
                    case .phone(let phone): (byPhone, PhoneNumber.key(phone))
                    case .recordName(let name): (byRecordName, name)
                    }
                return try Row.fetchOne(statement, arguments: [container, key]).map(DirectoryEntry.init(row:))
            }
        }
    }

    /// The users of a container, oldest first.
    package func users(container: Int64, limit: Int) async throws -> [DirectoryEntry] {
        try await pool.read { db in
            try Row.fetchAll(
                db, sql: Self.entries + " WHERE container = ? AND NOT disabled ORDER BY account LIMIT ?",
                arguments: [container, limit]
            ).map(DirectoryEntry.init(row:))
        }
    }
}
