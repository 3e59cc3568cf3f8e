import GRDB

extension Configuration {
    /// How every connection to a file of records is opened.
    static func records(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        if !readonly { configuration.journalMode = .wal }
        configuration.prepareDatabase { db in
            db.add(function: .distance)
            // A 200 means the change is on disk: FULL syncs the log at every commit.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            try db.execute(sql: "PRAGMA cache_size = \(readonly ? -8_000 : -32_000)")
            // 64 MB of log: pages that many commits touch are written back once, not at each checkpoint.
            if !readonly { try db.execute(sql: "PRAGMA wal_autocheckpoint = 16000") }
        }
        return configuration
    }
}
