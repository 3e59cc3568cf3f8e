import CPostgres

/// libpq, which is loaded when an address of PostgreSQL is first met: a server that keeps its data in SQLite needs none.
enum PostgresLibrary {
    /// The reason why it cannot be used, with the remedy; nil where it is loaded.
    static let fault = cpostgres_load().map { reason in
        "PostgreSQL needs its client library, which Debian has in the package libpq5: \(String(cString: reason))"
    }
}
