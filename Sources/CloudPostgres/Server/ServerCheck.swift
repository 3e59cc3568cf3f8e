import CloudModel
import CloudSQL

/// Checks at program start whether a database is usable.
struct ServerCheck {
    /// The oldest supported PostgreSQL version, as `server_version_num`.
    private static let oldest: Int64 = 140_000
    /// The largest clock difference between database and machine, in seconds: servers check the expiry of links,
    /// sessions and upload tickets that other servers made.
    private static let mostApart = 60.0

    let address: PostgresAddress
    let server: PostgresServer

    /// - Throws: ``PostgresUnusable`` with the reason and the remedy.
    func run() throws {
        if let fault = PostgresLibrary.fault { throw PostgresUnusable(description: fault) }
        if let need = address.unfitNeed {
            throw unusable(
                "is asked for with target_session_attrs=\(need), and a server must write; say read-write, primary or any "
                    + "in database.url")
        }
        // A survey finds the newest history, which excludes a primary that returned after another host's promotion.
        if server.hosts.hosts.count > 1 { server.hosts.survey() }
        let found: Found
        do { found = try ask() } catch let error as SQLError where error.kind == .readOnly {
            throw unusable(
                "takes no writes: \(error.message); name its primary, or all of its hosts, in database.url")
        } catch {
            throw unusable(
                "cannot be reached: \(Self.words(error)); see that it runs, and that database.url has its address and "
                    + "a user and password that it knows")
        }
        guard !found.isPooled else {
            throw unusable(
                "is behind a pooler that changes the session between transactions; have it pool by session, or name the "
                    + "database's own address in database.url (no '-pooler' in its name, another port than 6543)")
        }
        guard found.version >= Self.oldest else {
            throw unusable(
                "is of version \(found.version / 10_000), and 14 is the oldest that can be used; upgrade it, or name "
                    + "another in database.url")
        }
        guard found.encoding == "UTF8" else {
            throw unusable(
                "has the encoding \(found.encoding); make one with ENCODING 'UTF8' and name it in database.url")
        }
        guard found.mayCreate else {
            throw unusable(
                "does not let its user create schemas; run GRANT CREATE ON DATABASE … TO … there, or name another user "
                    + "in database.url")
        }
        guard abs(found.ahead) <= Self.mostApart else {
            throw unusable(
                "has a clock that is \(Int64(abs(found.ahead).rounded())) seconds \(found.ahead > 0 ? "ahead of" : "behind") this "
                    + "machine's, and \(Int64(Self.mostApart)) are the most; set the clocks of both by NTP")
        }
    }

    private struct Found {
        /// True behind a pooler that shares sessions, where prepared statements, LISTEN and advisory locks do not last.
        var isPooled: Bool
        var version: Int64
        var encoding: String
        var mayCreate: Bool
        /// Seconds by which the database's clock is ahead of this machine's.
        var ahead: Double
    }

    private func ask() throws -> Found {
        let link = try server.hosts.connect(server.limits)
        defer { link.close() }
        if try isPooled(link) {
            return Found(isPooled: true, version: 0, encoding: "", mayCreate: false, ahead: 0)
        }
        func text(_ sql: String) throws -> String { try Self.text(sql, link) }
        let time = Double(try text("extract(epoch FROM clock_timestamp())")) ?? 0
        return Found(
            isPooled: false, version: Int64(try text("current_setting('server_version_num')")) ?? 0,
            encoding: try text("current_setting('server_encoding')"),
            mayCreate: try text("has_database_privilege(current_database(), 'CREATE')") == "t",
            ahead: time - Timestamp.now().seconds)
    }

    /// True if a transaction on a second connection takes over the first connection's backend process.
    private func isPooled(_ link: PostgresHandle) throws -> Bool {
        let process = try Self.text("pg_backend_pid()", link)
        let other = try server.hosts.connect(server.limits)
        defer { other.close() }
        try other.script("BEGIN")
        if try Self.text("pg_backend_pid()", other) == process { return true }
        return try Self.text("pg_backend_pid()", link) != process
    }

    private static func text(_ sql: String, _ link: PostgresHandle) throws -> String {
        try link.script("SELECT \(sql)")?.firstText ?? ""
    }

    private func unusable(_ reason: String) -> PostgresUnusable {
        PostgresUnusable(description: "the database \(address.shown) \(reason)")
    }

    private static func words(_ error: any Error) -> String {
        let message = (error as? SQLError)?.message ?? "\(error)"
        return message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" } }.joined(separator: " ")
    }
}
