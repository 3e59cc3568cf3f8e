import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL

/// The accounts behind the users of a container, without passwords.
struct ExportedUsers: Sendable {
    let accounts: AccountStore
    let container: Container

    /// Writes the users who have data in the environment.
    ///
    /// - Returns: the number of users.
    func write(to folder: ExportFolder, of snapshot: EnvironmentSnapshot) async throws -> Int64 {
        let container = container.id
        return try await accounts.database.pool.read { db in
            let writer = try LineWriter(path: folder.path("users.jsonl"))
            var count: Int64 = 0
            try ExportLines.each(
                """
                SELECT u.recordName, a.email, a.emailVerified, a.givenName, a.familyName, a.phone, a.disabled, a.id
                FROM userRecord u /*!CROSS*/ JOIN account a ON a.id = u.account WHERE u.container = \(container)
                ORDER BY u.recordName
                """, db,
                { line in
                    try writer.append(line)
                    count += 1
                },
                isWanted: { row in
                    try snapshot.connection.use { try ExportSummary.knows(row.text(0), $0) }
                }
            ) { row, line in
                line.member("userRecordName", row.text(0))
                line.member("email", row.optionalText(1))
                line.member("emailVerified", row.integer(2) != 0)
                line.member("givenName", row.isNull(3) ? nil : row.text(3))
                line.member("familyName", row.isNull(4) ? nil : row.text(4))
                line.member("phone", row.isNull(5) ? nil : row.text(5))
                line.member("disabled", row.integer(6) != 0)
                let identities = try PersonIdentity.all(of: row.integer(7), in: db)
                guard !identities.isEmpty else { return }
                line.key("identities")
                line.array { for identity in identities { identity.writeTransfer(to: &$0) } }
            }
            try writer.finish()
            return count
        }
    }
}

extension PersonIdentity {
    fileprivate func writeTransfer(to line: inout JSONWriter) {
        line.object {
            $0.member("provider", provider)
            $0.member("issuer", issuer)
            $0.member("subject", subject)
        }
    }
}
