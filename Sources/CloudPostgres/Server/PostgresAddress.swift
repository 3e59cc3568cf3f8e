import CPostgres

/// The address of a PostgreSQL database, as `postgres://user:password@host:port,host:port/database`.
package struct PostgresAddress: Hashable, Sendable {
    /// With the password, for libpq alone.
    let url: String
    /// The same without a password, for people.
    package let shown: String

    /// Nil for a text that is no such URL. What libpq says against it is told to nobody, since it quotes the password.
    package init?(_ url: String) {
        guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix), !url.utf8.contains(0) else { return nil }
        self.url = url
        if PostgresLibrary.fault != nil {
            // Whoever opens it is told; what else it says, libpq alone can read.
            (shown, unfitNeed) = ("postgres://…", nil)
            return
        }
        guard let parts = Self.parts(of: url) else { return nil }
        let user = parts["user"].map { $0 + "@" } ?? ""
        let hosts = PostgresHost.all(in: parts).map(\.shown).joined(separator: ",")
        shown = "postgres://\(user)\(hosts)/\(parts["dbname"] ?? "")"
        let wanted = parts["target_session_attrs"]
        unfitNeed = SessionNeed(wanted, hosts: 1) == nil ? wanted : nil
    }

    /// A value of `target_session_attrs` that no server can be served with; nil where there is none.
    let unfitNeed: String?

    /// What a URL or connection string says, by libpq's names; nil for a text that is neither.
    static func parts(of url: String) -> [String: String]? {
        guard PostgresLibrary.fault == nil else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            return nil
        }
        defer { PQconninfoFree(options) }
        var parts: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parts[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return parts
    }
}

/// The limits of a server's use of PostgreSQL.
package struct PostgresLimits: Hashable, Sendable {
    /// Connections at a time.
    package var connections = 40
    /// The time that each host has for a connection to come about.
    package var connectTime = Duration.seconds(5)
    /// The time without a word from the database in which a statement is given up.
    package var answerTime = Duration.seconds(60)

    package init() {}
}

/// The reason why a database cannot be used, in a sentence with the remedy.
package struct PostgresUnusable: Error, CustomStringConvertible {
    package let description: String
}
