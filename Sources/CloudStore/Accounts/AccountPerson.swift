package import CloudModel
import GRDB

extension AccountStore {
    /// A user of a container as sharing knows them. One without an account left has a record name and no more.
    package func person(userRecordName: String, container: Int64) async throws -> Person {
        let row = try await pool.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT email, emailVerified, givenName, familyName, phone
                    FROM userRecord JOIN account ON account.id = userRecord.account
                    WHERE container = ? AND recordName = ?
                    """, arguments: [container, userRecordName])
        }
        guard let row else { return Person(userRecordName: userRecordName) }
        return Person(
            userRecordName: userRecordName, email: row["email"], isEmailVerified: row["emailVerified"],
            phone: row["phone"], names: PersonNames(given: row["givenName"], family: row["familyName"]))
    }
}
