package import CloudModel
import CloudSQL

extension AccountStore {
    /// A user of a container as sharing knows them. One without an account left has a record name and no more.
    package func person(userRecordName: String, container: Int64) async throws -> Person {
        let person = try await pool.read { db in
            try db.first(
                """
                SELECT email, emailVerified, givenName, familyName, phone
                FROM userRecord JOIN account ON account.id = userRecord.account
                WHERE container = ? AND recordName = ?
                """, .integer(container), .text(userRecordName)
            ) { row in
                Person(
                    userRecordName: userRecordName, email: row.text(0), isEmailVerified: row.bool(1),
                    phone: row.optionalText(4),
                    names: PersonNames(given: row.optionalText(2), family: row.optionalText(3)))
            }
        }
        return person ?? Person(userRecordName: userRecordName)
    }
}
