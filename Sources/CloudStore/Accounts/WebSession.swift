package import CloudModel
import Crypto
package import Foundation
import GRDB

/// A user signed in to one environment of one container (reference B §3.2).
package struct WebSession: Sendable {
    package let id: Int64
    package let account: Int64
    package let container: Int64
    package let environment: ContainerEnvironment
    /// The only API token the session goes with; nil for any of the container and environment.
    package let apiToken: Int64?
    package let userRecordName: String
    let persistent: Bool
    let hash: SHA256Digest
    var lastUsed: Date
    package internal(set) var expires: Date

    init(row: Row, hash: SHA256Digest) throws {
        id = row["id"]
        account = row["account"]
        container = row["container"]
        environment = try ContainerEnvironment.read(row)
        apiToken = row["apiToken"]
        userRecordName = row["recordName"]
        persistent = row["persistent"]
        self.hash = hash
        lastUsed = Date(timeIntervalSince1970: row["lastUsed"])
        expires = Date(timeIntervalSince1970: row["expires"])
    }

    static func find(hash: SHA256Digest, in db: Database) throws -> WebSession? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT session.*, recordName FROM session
                JOIN account ON account.id = session.account AND NOT disabled
                JOIN userRecord ON userRecord.account = session.account AND userRecord.container = session.container
                WHERE hash = ?
                """,
            arguments: [Data(hash)])
        guard let row, hash == (row["hash"] as Data) else { return nil }
        return try WebSession(row: row, hash: hash)
    }
}

extension AccountStore {
    /// A session slides on disk at most this often, in seconds.
    private static let slideInterval = 60.0

    /// Signs an account in.
    ///
    /// The token is `1__1__` and base64, so it has none of the characters that break cookies or query strings
    /// once percent-encoded (reference B §3.2). Its text is given here for the only time.
    /// - Parameter ticket: of the sign-in link that led here; it is used up with this.
    /// - Throws: `ACCESS_DENIED` when the account is disabled, `EXISTS` when the ticket was used before.
    package func createSession(
        email: String, container: Container, environment: ContainerEnvironment, apiToken: Int64? = nil,
        persistent: Bool = false, redeeming ticket: SignInTicket? = nil
    ) async throws -> (token: String, userRecordName: String, expires: Date) {
        let token = "1__1__" + RandomText.base64(bytes: 48)
        let hash = SHA256.hash(data: Data(token.utf8))
        let now = clock()
        let expires = now + sessionLifetimes.lifetime(persistent: persistent)
        let name = try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            guard !account.disabled else {
                throw ServerError(
                    .accessDenied, "user '\(account.email)' is disabled; 'cumulus user enable' changes that")
            }
            try ticket?.redeem(now: now, in: db)
            try db.execute(sql: "DELETE FROM session WHERE expires < ?", arguments: [now.timeIntervalSince1970])
            let name = try Self.userRecordName(account: account.id, container: container.id, in: db)
            try db.execute(
                sql: """
                    INSERT INTO session
                        (hash, account, container, environment, apiToken, persistent, created, lastUsed, expires)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(hash), account.id, container.id, environment.rawValue, apiToken, persistent,
                    now.timeIntervalSince1970, now.timeIntervalSince1970, expires.timeIntervalSince1970,
                ])
            return name
        }
        return (token, name, expires)
    }

    /// Prolongs a session that is in use; writes at most once a minute per session (reference B §3.4).
    package func slide(_ session: WebSession) async throws {
        let now = clock()
        let lifetime = sessionLifetimes.lifetime(persistent: session.persistent)
        guard now.timeIntervalSince(session.lastUsed) >= min(Self.slideInterval, lifetime / 4) else { return }
        let expires = now + lifetime
        guard cache.slide(session, now: now, expires: expires) else { return }
        try await pool.write { db in
            try db.execute(
                sql: "UPDATE session SET lastUsed = ?, expires = ? WHERE id = ? AND lastUsed < ?",
                arguments: [
                    now.timeIntervalSince1970, expires.timeIntervalSince1970, session.id, now.timeIntervalSince1970,
                ])
        }
    }
}
