import CloudModel
import Crypto
package import Foundation
import GRDB

/// A person signed in to the server's own pages with one browser, whatever the container.
package struct BrowserLogin: Sendable {
    package let account: UserAccount
    package let persistent: Bool
    package let expires: Date
    let hash: SHA256Digest
    let lastUsed: Date

    /// - Parameter row: of `browserLogin`, joined with its account.
    private init(row: Row, hash: SHA256Digest) {
        account = UserAccount(row: row)
        persistent = row["persistent"]
        expires = Date(timeIntervalSince1970: row["expires"])
        lastUsed = Date(timeIntervalSince1970: row["lastUsed"])
        self.hash = hash
    }

    fileprivate static func find(_ token: String, in db: Database) throws -> BrowserLogin? {
        let hash = SHA256.hash(data: Data(token.utf8))
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT browserLogin.hash, browserLogin.persistent, browserLogin.lastUsed, browserLogin.expires, account.*
                FROM browserLogin JOIN account ON account.id = browserLogin.account AND NOT disabled
                WHERE hash = ?
                """,
            arguments: [Data(hash)])
        guard let row, hash == (row["hash"] as Data) else { return nil }
        return BrowserLogin(row: row, hash: hash)
    }
}

extension AccountStore {
    /// Signs an account in to the server's own pages.
    ///
    /// - Returns: the text of its cookie, for the only time.
    package func createBrowserLogin(account: Int64, persistent: Bool) async throws -> String {
        let token = RandomText.hex(bytes: 32)
        let now = clock()
        let expires = now + sessionLifetimes.lifetime(persistent: persistent)
        try await pool.write { db in
            try db.execute(sql: "DELETE FROM browserLogin WHERE expires < ?", arguments: [now.timeIntervalSince1970])
            try db.execute(
                sql: """
                    INSERT INTO browserLogin (hash, account, persistent, lastUsed, expires) VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(SHA256.hash(data: Data(token.utf8))), account, persistent, now.timeIntervalSince1970,
                    expires.timeIntervalSince1970,
                ])
        }
        return token
    }

    /// Who the cookie's text belongs to, unless it has expired or the account is disabled. Using it prolongs it;
    /// at most once a minute that is written down.
    package func browserLogin(_ token: String) async throws -> BrowserLogin? {
        let now = clock()
        guard let login = try await pool.read({ try BrowserLogin.find(token, in: $0) }), login.expires > now else {
            return nil
        }
        guard now.timeIntervalSince(login.lastUsed) >= 60 else { return login }
        let expires = now + sessionLifetimes.lifetime(persistent: login.persistent)
        try await pool.write { db in
            try db.execute(
                sql: "UPDATE browserLogin SET lastUsed = ?, expires = ? WHERE hash = ?",
                arguments: [now.timeIntervalSince1970, expires.timeIntervalSince1970, Data(login.hash)])
        }
        return login
    }

    /// Signs the browser out; nothing happens when it was not in.
    package func deleteBrowserLogin(_ token: String) async throws {
        try await pool.write { db in
            try db.execute(
                sql: "DELETE FROM browserLogin WHERE hash = ?",
                arguments: [Data(SHA256.hash(data: Data(token.utf8)))])
        }
    }
}
