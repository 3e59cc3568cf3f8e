import CloudSQL

/// Whether a database can be used at all, asked once when a program begins.
struct ServerCheck {
    /// The oldest version of PostgreSQL that has what is needed, as the server tells its version.
    private static let oldest: Int64 = 140_000

    let address: PostgresAddress
    let limits: PostgresLimits

    /// - Throws: ``PostgresUnusable``.
    func run() throws {
        let found: (version: Int64, encoding: String, mayCreate: Bool)
        do { found = try ask() } catch {
            throw unusable(
                "cannot be reached: \(Self.words(error)); see that it runs, and that database.url has its address and "
                    + "a user and password that it knows")
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
    }

    private func ask() throws -> (version: Int64, encoding: String, mayCreate: Bool) {
        let link = try PostgresHandle(url: address.url, limits: limits)
        defer { link.close() }
        func text(_ sql: String) throws -> String { try link.script("SELECT \(sql)")?.firstText ?? "" }
        return (
            Int64(try text("current_setting('server_version_num')")) ?? 0,
            try text("current_setting('server_encoding')"),
            try text("has_database_privilege(current_database(), 'CREATE')") == "t"
        )
    }

    private func unusable(_ reason: String) -> PostgresUnusable {
        PostgresUnusable(description: "the database \(address.shown) \(reason)")
    }

    private static func words(_ error: any Error) -> String {
        let message = (error as? SQLError)?.message ?? "\(error)"
        return message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" } }.joined(separator: " ")
    }
}
