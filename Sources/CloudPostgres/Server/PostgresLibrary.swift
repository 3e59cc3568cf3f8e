import CPostgres

/// libpq, loaded at the first use of a PostgreSQL address; servers with SQLite do not need it.
enum PostgresLibrary {
    /// The reason why libpq cannot be loaded, with the remedy; nil when loaded.
    static let fault = cpostgres_load().map { reason in
        "PostgreSQL needs its client library, which Debian has in the package libpq5: \(String(cString: reason))"
    }
}
