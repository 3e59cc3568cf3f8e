import CloudCrypto
import CloudEngine
package import CloudModel
import CloudSQL

/// The sign-in at a provider by which a session was begun.
package struct ProviderLogin: Hashable, Sendable {
    /// The longest identity token that is kept, in bytes: it goes into an address.
    package static let longestHint = 4096

    /// The provider's name and issuer at that time.
    package let provider: String
    package let issuer: String
    /// The claim `sub`, which at Microsoft is not the subject of the identity.
    package let subject: String
    /// The session at the provider; nil if it told none.
    package let session: String?
    package let time: Timestamp
    /// The identity token, by which the provider knows whom to sign out; nil for none and for a long one.
    package var hint: String?

    package init(
        provider: String, issuer: String, subject: String, session: String?, time: Timestamp, hint: String? = nil
    ) {
        (self.provider, self.issuer, self.subject, self.session, self.time) = (provider, issuer, subject, session, time)
        self.hint = hint.flatMap { $0.utf8.count <= Self.longestHint ? $0 : nil }
    }

    /// Five columns that the tables of sessions, browsers' logins and console logins have alike; null for another sign-in.
    static let columns = "provider, providerIssuer, providerSubject, providerSession, providerTime"

    /// - Parameters:
    ///   - row: a row with ``columns``.
    ///   - index: the index of the first of these.
    init?(row: SQLRow, at index: Int) {
        guard let provider = row.optionalText(index), let issuer = row.optionalText(index + 1),
            let subject = row.optionalText(index + 2)
        else { return nil }
        self.init(
            provider: provider, issuer: issuer, subject: subject, session: row.optionalText(index + 3),
            time: row.timestamp(seconds: index + 4))
    }

    /// The values of ``columns``.
    static func values(_ login: ProviderLogin?) -> [SQLValue] {
        guard let login else { return [.null, .null, .null, .null, .null] }
        return [
            .text(login.provider), .text(login.issuer), .text(login.subject), .text(optional: login.session),
            .seconds(login.time),
        ]
    }

    private static let tables = ["session", "browserLogin", "consoleLogin"]

    /// Adds ``columns``, and to browsers' logins the sealed identity token.
    static let layout: Layout = {
        func script(text: String, number: String, blob: String) -> String {
            let columns = tables.map { table in
                """
                ALTER TABLE \(table) ADD COLUMN provider \(text);
                ALTER TABLE \(table) ADD COLUMN providerIssuer \(text);
                ALTER TABLE \(table) ADD COLUMN providerSubject \(text);
                ALTER TABLE \(table) ADD COLUMN providerSession \(text);
                ALTER TABLE \(table) ADD COLUMN providerTime \(number);
                CREATE INDEX \(table)ProviderSubject ON \(table)(providerIssuer, providerSubject)
                    WHERE providerIssuer IS NOT NULL;
                CREATE INDEX \(table)ProviderSession ON \(table)(providerIssuer, providerSession)
                    WHERE providerSession IS NOT NULL;
                """
            }
            return columns.joined(separator: "\n") + "\nALTER TABLE browserLogin ADD COLUMN identityToken \(blob);"
        }
        return Layout(
            sqlite: script(text: "TEXT", number: "REAL", blob: "BLOB"),
            postgres: script(text: #"TEXT COLLATE "C""#, number: "DOUBLE PRECISION", blob: "BYTEA"))
    }()

    /// Ends what was begun by these sign-ins.
    ///
    /// - Returns: the number of ended sessions.
    fileprivate static func end(_ notice: ProviderSignOut, in db: SQLConnection) throws -> Int {
        var condition = "provider = ? AND providerIssuer = ?"
        var values: [SQLValue] = [.text(notice.provider), .text(notice.issuer)]
        for (column, value) in [("providerSubject", notice.subject), ("providerSession", notice.session)] {
            guard let value else { continue }
            condition += " AND \(column) = ?"
            values.append(.text(value))
        }
        return try tables.reduce(0) { $0 + (try db.run("DELETE FROM \($1) WHERE \(condition)", values)) }
    }
}

/// A provider's word that a person signed out there.
package struct ProviderSignOut: Hashable, Sendable {
    package let provider: String
    package let issuer: String
    /// Nil for whoever has the session.
    package let subject: String?
    /// Nil for all sessions of the subject.
    package let session: String?

    /// Nil without subject and session, which would end everybody's sessions.
    package init?(provider: String, issuer: String, subject: String?, session: String?) {
        guard subject != nil || session != nil else { return nil }
        (self.provider, self.issuer, self.subject, self.session) = (provider, issuer, subject, session)
    }
}

extension SignInTicket {
    /// The ticket of a logout token, which is good for one use.
    package init(logout id: String, of provider: String, issuer: String, expires: Timestamp) {
        let digest = SHA256.hash(of: "\(provider)\u{0}\(issuer)\u{0}\(id)")
        self.init(id: "logout " + Base64URL.encode(Array(digest)), expires: expires)
    }
}

extension PersonIdentities {
    /// Ends the sessions in apps, browsers and the console that were begun by the sign-ins of a notice.
    ///
    /// - Returns: the number of ended sessions; nil if the notice's ticket has been redeemed.
    package func end(_ notice: ProviderSignOut, redeeming ticket: SignInTicket) async throws -> Int? {
        try await database.pool.write { [now = database.now()] db in
            guard try ticket.isFresh(now: now, in: db) else { return nil }
            return try ProviderLogin.end(notice, in: db)
        }
    }
}

extension BrowserLogins {
    /// The sign-in at a provider of a cookie's login, with its identity token; nil for another sign-in.
    package func providerLogin(_ token: String) async throws -> ProviderLogin? {
        guard var login = try await find(token)?.login else { return nil }
        let hash = SHA256.hash(of: token)
        let sealed = try await database.pool.read { db in
            try db.first("SELECT identityToken FROM browserLogin WHERE hash = ?", .blob(Array(hash))) {
                $0.optionalBlob(0)
            }
        }
        if let sealed = sealed ?? nil {
            let opened = try? await ProviderSeal(database).open(SealedSecret(bytes: sealed), of: Self.place(token))
            login.hint = opened?.text
        }
        return login
    }

    /// The identity token as the row of a cookie's login has it.
    func sealedHint(_ login: ProviderLogin?, for token: String) async throws -> SealedSecret? {
        guard let hint = login?.hint else { return nil }
        return try await ProviderSeal(database).seal(ProviderSecret(hint), of: Self.place(token))
    }

    /// No provider has such a name.
    private static func place(_ token: String) -> String {
        "browserLogin/\(Base64URL.encode(Array(SHA256.hash(of: token))))"
    }
}
