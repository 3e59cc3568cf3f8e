import CloudEngine
package import CloudModel
import CloudSQL

extension ContainerUsers {
    /// A user of a container, with the account's address and names for sharing. If the account is deleted, only the record name
    /// is set.
    package func person(userRecordName: String, container: Int64) async throws -> Person {
        let person = try await database.pool.read { db in
            try db.first(
                """
                SELECT email, emailVerified, givenName, familyName, phone
                FROM userRecord JOIN account ON account.id = userRecord.account
                WHERE container = ? AND recordName = ?
                """, .integer(container), .text(userRecordName)
            ) { row in
                Person(
                    userRecordName: userRecordName, email: row.optionalText(0), isEmailVerified: row.bool(1),
                    phone: row.optionalText(4),
                    names: PersonNames(given: row.optionalText(2), family: row.optionalText(3)))
            }
        }
        return person ?? Person(userRecordName: userRecordName)
    }

    /// An account's person, for sharing in a container. Creates no user record; an account without a user record in the
    /// container has no `userRecordName`.
    ///
    /// - Throws: `NOT_FOUND` if the account has been deleted.
    package func person(account: Int64, container: Int64) async throws -> Person {
        let person = try await database.pool.read { db in
            try db.first(
                """
                SELECT recordName, email, emailVerified, givenName, familyName, phone
                FROM account LEFT JOIN userRecord ON userRecord.account = account.id AND container = ?
                WHERE account.id = ?
                """, .integer(container), .integer(account)
            ) { row in
                Person(
                    userRecordName: row.optionalText(0), email: row.optionalText(1), isEmailVerified: row.bool(2),
                    phone: row.optionalText(5),
                    names: PersonNames(given: row.optionalText(3), family: row.optionalText(4)))
            }
        }
        guard let person else { throw ServerError(.notFound, "the account is gone", .missing(.user)) }
        return person
    }
}
