import GRDB

extension Configuration {
    /// Settings for a connection to a records database.
    static func records(readonly: Bool) -> Configuration {
        var configuration = shared(readonly: readonly)
        if !readonly { configuration.journalMode = .wal }
        // A snapshot held for several reads is a transaction left open between GRDB calls.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            db.add(function: .distance)
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            try db.execute(sql: "PRAGMA cache_size = \(readonly ? -8_000 : -32_000)")
        }
        return configuration
    }

    /// Settings for a connection to the accounts database.
    static func accounts(readonly: Bool) -> Configuration {
        var configuration = shared(readonly: readonly)
        configuration.label = "accounts"
        if !readonly {
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA journal_size_limit = \(SQLiteEngine.logLimit)")
            }
        }
        return configuration
    }

    private static func shared(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        return configuration
    }
}
