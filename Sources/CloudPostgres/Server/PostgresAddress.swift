import CPostgres

/// The address of a PostgreSQL database, as `postgres://user:password@host:port/database`.
package struct PostgresAddress: Hashable, Sendable {
    /// With the password, for libpq alone.
    let url: String
    /// The same without a password, for people.
    package let shown: String

    /// Nil for a text that is no such URL. What libpq says against it is told to nobody, since it quotes the password.
    package init?(_ url: String) {
        guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix), !url.utf8.contains(0) else { return nil }
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
        self.url = url
        let user = parts["user"].map { $0 + "@" } ?? ""
        let port = parts["port"].map { ":" + $0 } ?? ""
        shown = "postgres://\(user)\(parts["host"] ?? "")\(port)/\(parts["dbname"] ?? "")"
    }
}

/// The limits of a server's use of PostgreSQL.
package struct PostgresLimits: Hashable, Sendable {
    /// Connections at a time.
    package var connections = 40
    /// The time a connection may take to come about.
    package var connectTime = Duration.seconds(5)
    /// The time without a word from the database in which a statement is given up.
    package var answerTime = Duration.seconds(60)

    package init() {}
}

/// The reason why a database cannot be used, in a sentence with the remedy.
package struct PostgresUnusable: Error, CustomStringConvertible {
    package let description: String
}
