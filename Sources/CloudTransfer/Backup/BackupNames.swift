import CloudStore

/// File names in a backup archive.
///
///     cumulus-backups.json                  whose backups these are
///     backups/TIME/manifest.json            written last: what has none is no backup
///     backups/TIME/accounts.sqlite
///     backups/TIME/1-production.sqlite
///     backups/TIME/1-production.assets      the keys and sizes of its assets
///     assets/Q3/AQ3…                        contents, shared by all backups
enum BackupNames {
    static let marker = "cumulus-backups.json"
    static let backups = "backups"
    static let assets = "assets"
    static let manifest = "manifest.json"
    static let accounts = "accounts.sqlite"

    static func folder(_ backup: String) -> String { "\(backups)/\(backup)" }
    static func file(_ name: String, of backup: String) -> String { "\(folder(backup))/\(name)" }

    /// The shard of an asset's folder. All keys share their first letter, so the shard skips it.
    static func shard(_ key: String) -> String { String(key.dropFirst().prefix(2)) }
    static func shardFolder(_ shard: String) -> String { "\(assets)/\(shard)" }
    static func asset(_ key: String) -> String { "\(shardFolder(shard(key)))/\(key)" }
}
