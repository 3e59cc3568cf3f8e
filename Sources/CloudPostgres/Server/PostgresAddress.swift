import CPostgres

/// A PostgreSQL database URL, such as `postgres://user:password@host:port,host:port/database`.
package struct PostgresAddress: Hashable, Sendable {
    /// The URL, password included; only libpq reads it.
    let url: String
    /// The URL without its password, for display.
    package let shown: String

    /// Nil for an invalid URL. libpq's message is dropped because it quotes the password.
    package init?(_ url: String) {
        guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix), !url.utf8.contains(0) else { return nil }
        self.url = url
        if PostgresLibrary.fault != nil {
            // Opening reports the missing library; only libpq can parse the rest.
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

    /// An unusable value of `target_session_attrs`; nil if there is none.
    let unfitNeed: String?

    /// The parts of a connection URL or string, by libpq name; nil if invalid.
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

/// Limits on a server's use of PostgreSQL.
package struct PostgresLimits: Hashable, Sendable {
    /// The most concurrent connections.
    package var connections = 40
    /// The time limit for connecting to one host.
    package var connectTime = Duration.seconds(5)
    /// The time without a response after which a statement fails.
    package var answerTime = Duration.seconds(60)
    /// The idle time after which the server ends a transaction that holds the locked row, so that a stopped program
    /// does not block other writers. A slow program gets twice the time on its next connection.
    package var idleTime = Duration.seconds(2)

    package init() {}
}

/// The reason why a database is unusable, with the remedy.
package struct PostgresUnusable: Error, CustomStringConvertible {
    package let description: String
}
