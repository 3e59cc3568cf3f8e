import CloudAccounts
package import CloudAssets
import CloudCrypto
package import CloudEngine
package import CloudModel
import CloudSQL

/// The open database of one environment: its connections, caches and background work.
package final class StoredEnvironment: Sendable {
    private let identity: EnvironmentIdentity
    private let files: EnvironmentFiles
    private let settings: EnvironmentSettings
    let shortGUIDs: ShortGUID
    let work: SchemaWork
    let pauseEnds: PauseEnds
    let facts: FactsKeeper
    package let reads: DatabaseReaders
    package let writes: DatabaseWriter
    let published: PublishedCatalog
    let roleMemory = RoleMemory()
    let tokens: SyncTokens
    package let now: Now
    let scans: ScanTurns
    /// Cached query plans.
    let outlines = QueryOutlines()
    let knownUsers: KnownUsers
    let file: OpenedFile

    /// Opens the database, creating or migrating it as needed.
    ///
    /// - Throws: ``NewerDatabase`` when a later server version wrote the database; ``StoreFault`` when the database is
    ///   missing or empty.
    package init(
        _ identity: EnvironmentIdentity, engine: any StoreEngine, files: EnvironmentFiles,
        settings: EnvironmentSettings = EnvironmentSettings(), events: EnvironmentEvents = EnvironmentEvents(),
        now: @escaping Now
    ) throws {
        let (path, environment, limits) = (identity.path, identity.environment, settings.limits)
        let connection = try engine.opener.openForWriting(path)
        if settings.isMade, try !connection.use({ try $0.hasTable("store") }) { throw StoreFault.empty }
        let file = try OpenedFile(
            path: path, locations: engine.locations, place: "\(environment.rawValue) of \(identity.container)",
            onFault: events.onFault)
        try Migrations.run(on: connection, name: engine.locations.name(of: path))
        let (knownUsers, scans) = (KnownUsers(), ScanTurns())
        // A reset at another server replaces the schema and deletes user records.
        let published = PublishedCatalog(onChange: { scans.dismiss() }, onAdoption: { knownUsers.forget() })
        let guids = ShortGUID(routingKey: identity.routingKey)
        let remainder = Self.remainder(settings, guids, scans, now)
        let work = SchemaWork(
            pace: settings.pace, context: Self.ownContext(limits, now), onTrouble: events.onTrouble,
            isAwaited: { !scans.awaited.isEmpty }
        ) {
            try remainder.run($0, $1, except: $2)
        }
        let pauseEnds = PauseEnds(limits: limits, onTrouble: events.onTrouble, now: now)
        let facts = FactsKeeper(files.assets, settings.factsTurns)
        let sources = WriteSources(
            published: published, names: files.publishedNames, roleMemory: roleMemory, container: identity.container,
            left: settings.epochMemory.take(path), pace: settings.pace, events: events, now: now,
            onWork: { work.wake() }, onPause: { pauseEnds.wake() },
            onAssets: { facts.wake() })
        writes = try DatabaseWriter(connection: connection, file: file, meter: events.meter) { db in
            try BuiltInTypes.ensure(db)
            try SubscriptionPause.endAll(db)
            let transaction = try WriteTransaction(db: db, sources)
            try remainder.finishSmall(transaction)
            return transaction
        }
        reads = try DatabaseReaders(file: file, engine: engine, connections: settings.readers, limits: limits)
        tokens = try Self.tokens(connection, path)
        (self.identity, self.files, self.settings, self.now) = (identity, files, settings, now)
        (self.file, self.published, self.knownUsers, self.scans) = (file, published, knownUsers, scans)
        (self.work, self.pauseEnds, self.facts, shortGUIDs) = (work, pauseEnds, facts, guids)
        work.start(writes)
        facts.start(writes, reads)
        pauseEnds.start(writes, reads, hasPauses: try connection.read { try !SubscriptionPause.users($0).isEmpty })
    }

    private static func tokens(_ connection: any EngineConnection, _ path: String) throws -> SyncTokens {
        try connection.read { db in
            guard
                let tokens = try db.first(
                    "SELECT incarnation, secret FROM store",
                    read: { SyncTokens(incarnation: $0.integer(0), secret: SymmetricKey(data: $0.blob(1))) })
            else { throw SQLError(.damaged, "\(path) has no identity") }
            return tokens
        }
    }

    private static func remainder(
        _ settings: EnvironmentSettings, _ guids: ShortGUID, _ scans: ScanTurns, _ now: @escaping Now
    ) -> SchemaRemainder {
        let limits = settings.limits
        return SchemaRemainder(
            pace: settings.pace, removal: removal(limits, guids, now), context: ownContext(limits, now),
            awaited: { scans.awaited })
    }

    private static func removal(
        _ limits: Limits, _ guids: ShortGUID, _ now: @escaping Now
    ) -> @Sendable (WriteTransaction) -> TypeRemoval {
        { TypeRemoval(deletion: ImpliedDeletion(transaction: $0, now: now(), limits: limits, shortGUIDs: guids)) }
    }

    private static func ownContext(_ limits: Limits, _ now: @escaping Now) -> @Sendable () -> WriteContext {
        { WriteContext(Requester(user: nil), now: now(), limits: limits, isBounded: false) }
    }

    var environment: ContainerEnvironment { identity.environment }
    package var limits: Limits { settings.limits }
    var pace: BuildPace { settings.pace }
    package var assets: any AssetStore { files.assets }
    var previews: Previews? { files.previews }
    var publishedNames: PublishedNames? { files.publishedNames }

    /// The schema as of the last commit.
    package var catalog: Catalog { published.catalog }

    /// Makes the removal of a removed type's records.
    package var removal: @Sendable (WriteTransaction) -> TypeRemoval { Self.removal(limits, shortGUIDs, now) }

    /// The write context of the server's own work.
    package var ownContext: WriteContext { Self.ownContext(limits, now)() }

    /// A read by `body`, which may restart from the beginning.
    ///
    /// - Parameters:
    ///   - allowance: counts the bytes that `body` reads.
    ///   - prefetch: the record that a small read needs.
    func reading<T: Sendable>(
        _ size: DatabaseReaders.Size = .unknown, allowance: ResponseAllowance? = nil,
        prefetch: @escaping @Sendable () -> RecordPrefetch? = { nil },
        _ body: @escaping @Sendable (SQLConnection) throws -> T
    ) -> StoreRead<T> {
        StoreRead<T>(
            atOnce: { [reads] trace in try reads.readAtOnce(trace, allowance, body) },
            waiting: { [reads] in
                guard let allowance else { return try await reads.read(size, prefetch: prefetch(), body) }
                return try await reads.read(size, prefetch: prefetch(), undo: allowance.undo(), body)
            })
    }

    /// True if background work remains.
    var isWorking: Bool { work.isWorking || pauseEnds.isWorking || facts.isWorking }

    /// Frees the memory of connections that were idle since the last call.
    func freeMemory() -> (reading: [MemoryRelease], writing: MemoryRelease) {
        (reads.freeMemory(), writes.freeMemory())
    }

    package func close() async throws {
        await work.close()
        await pauseEnds.close()
        await facts.close()
        try reads.close()
        if let left = try writes.close() { settings.epochMemory.leave(identity.path, left) }
    }

    /// Closes and empties the log, so that the database file can be moved.
    package func closeWhole() async throws {
        await work.close()
        await pauseEnds.close()
        await facts.close()
        try reads.close()
        try writes.closeWhole()
    }
}
