import CloudEngine
import CloudModel
import CloudPostgres
import CloudSQLite
import Logging

/// The configured database: storage for everything except assets.
struct DatabaseSettings: Sendable {
    /// The PostgreSQL database; nil for SQLite in the data folder.
    var address: PostgresAddress?
    var limits = PostgresLimits()

    /// The configured engine.
    ///
    /// - Parameter isSynced: whether commits survive a power cut; PostgreSQL has its own setting for durability.
    /// - Throws: ``PostgresUnusable`` for an unusable database.
    func engine(data: String, isSynced: Bool = true) throws -> any StoreEngine {
        guard let address else { return SQLiteEngine(isSynced: isSynced) }
        let logger = Logger(label: "cumulus")
        return try PostgresEngine(address, root: data, limits: limits) { reason in
            if let reason {
                logger.error("the database cannot be reached", metadata: ["reason": "\(reason)"])
            } else {
                logger.notice("the database can be reached again")
            }
        }
    }
}

extension Settings {
    /// The data folder, created if missing.
    ///
    /// - Parameters:
    ///   - mayBeNew: whether an empty folder or database is acceptable.
    ///   - isSynced: whether commits survive a power cut.
    ///   - now: the clock of the folder's stores.
    /// - Throws: ``Complaint`` if data is required and missing.
    func dataFolder(mayBeNew: Bool = true, isSynced: Bool = true, now: @escaping Now = Timestamp.now) throws
        -> DataFolder
    {
        let engine = try database.engine(data: data, isSynced: isSynced)
        if !mayBeNew, try engine.locations.facts(of: DataFolder.accountsFile(in: data)) == nil {
            let (place, option) = database.address.map { ($0.shown, "--database-url") } ?? (data, "--data")
            throw Complaint(
                "there is no data in \(place) yet; name \(database.address == nil ? "the folder" : "the database") with "
                    + "\(option), or begin with 'cumulus container create'")
        }
        return try DataFolder(
            path: data, engine: engine,
            assets: assets.backend(data: data, leastAge: database.address == nil ? .zero : AssetSettings.sharedAge),
            now: now)
    }

    /// The storage place, for messages.
    var place: String { database.address.map { "\($0.shown) and \(data)" } ?? data }
}
