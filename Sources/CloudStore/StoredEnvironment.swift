package import CloudAssets
package import CloudModel
import CloudCrypto
import Foundation
import CloudSQL

/// An environment stored in one database.
package final class StoredEnvironment: EnvironmentStore {
    let environment: ContainerEnvironment
    let limits: Limits
    private let shortGUIDs: ShortGUID
    let work: SchemaWork
    let pauseEnds: PauseEnds
    let reads: DatabaseReaders
    let writes: DatabaseWriter
    let assets: any AssetStore
    let previews: Previews?
    let published: PublishedCatalog
    /// Nil if names of public records are not indexed.
    let publishedNames: PublishedNames?
    let roleMemory = RoleMemory()
    let tokens: SyncTokens
    private let path: String
    private let epochMemory: EpochMemory
    let now: Now
    let pace: BuildPace
    let scans: ScanTurns
    /// Cached query plans.
    let outlines = QueryOutlines()
    let knownUsers: KnownUsers
    let file: OpenedFile

    /// Opens the database at `path`, creating or migrating it as needed.
    ///
    /// - Parameters:
    ///   - container: the container's name for notifications.
    ///   - routingKey: the prefix of this environment's short GUIDs.
    ///   - assets: the store for asset contents.
    ///   - previews: nil for no previews.
    ///   - readers: the number of read connections.
    ///   - publishedNames: receives new public records with a page; nil if names are not indexed.
    ///   - limits: the limits for schemas and notifications.
    ///   - pace: the pace of background work.
    ///   - meter: receives commits.
    ///   - epochMemory: this process's memory of closed databases.
    ///   - onTrouble: called with errors of background work, which is retried.
    ///   - onQueue: called after a commit with its queued messages.
    ///   - onNotify: called after a commit with the push tokens that got a message.
    ///   - awaited: finds push tokens with a waiting poll, whose messages may share rows.
    ///   - isMade: whether the database must already have a layout.
    ///   - onFault: called once per fault of the disk or the file.
    /// - Throws: ``NewerDatabase`` when a later server version wrote the database; ``StoreFault`` when the database is
    ///   missing or empty.
    package init(
        path: String, engine: any StoreEngine, container: String, environment: ContainerEnvironment, routingKey: String,
        assets: any AssetStore, previews: Previews? = nil, readers: Int = 4,
        publishedNames: PublishedNames? = nil, limits: Limits = Limits(), pace: BuildPace = BuildPace(),
        epochMemory: EpochMemory = EpochMemory(), meter: (any StoreMeter)? = nil,
        onTrouble: @escaping @Sendable (any Error) -> Void = { _ in }, isMade: Bool = false,
        onFault: @escaping @Sendable (StoreFault) -> Void = { _ in }, onQueue: @escaping LogMessages = { _ in },
        onNotify: @escaping NotifyTokens = { _, _ in }, awaited: @escaping AwaitedTokens = { _ in [] },
        now: @escaping Now
    ) throws {
        let connection = try engine.openForWriting(path)
        if isMade, try !connection.use({ try $0.hasTable("store") }) { throw StoreFault.empty }
        let file = try OpenedFile(
            path: path, engine: engine, place: "\(environment.rawValue) of \(container)", onFault: onFault)
        self.file = file
        try Migrations.run(on: connection, name: engine.name(of: path))
        let (knownUsers, roleMemory) = (KnownUsers(), roleMemory)
        // A reset at another server replaces the schema and deletes user records.
        let scans = ScanTurns()
        let published = PublishedCatalog(onChange: { scans.dismiss() }, onAdoption: { knownUsers.forget() })
        (self.pace, self.scans) = (pace, scans)
        self.knownUsers = knownUsers
        self.published = published
        let left = epochMemory.take(path)
        let guids = ShortGUID(routingKey: routingKey)
        shortGUIDs = guids
        let context = { @Sendable in
            WriteContext(Requester(user: nil), now: now(), limits: limits, isBounded: false)
        }
        let remainder = SchemaRemainder(
            pace: pace,
            removal: {
                TypeRemoval(
                    deletion: ImpliedDeletion(transaction: $0, now: now(), limits: limits, shortGUIDs: guids))
            }, context: context, awaited: { scans.awaited })
        let work = SchemaWork(
            pace: pace, context: context, onTrouble: onTrouble, isAwaited: { !scans.awaited.isEmpty }
        ) {
            try remainder.run($0, $1, except: $2)
        }
        let pauseEnds = PauseEnds(limits: limits, onTrouble: onTrouble, now: now)
        writes = try DatabaseWriter(connection: connection, file: file, meter: meter) { db in
            try BuiltInTypes.ensure(db)
            try SubscriptionPause.endAll(db)
            let transaction = try WriteTransaction(
                db: db, published: published, names: publishedNames, roleMemory: roleMemory, container: container,
                left: left, pace: pace,
                now: now, onQueue: onQueue, onNotify: onNotify, awaited: awaited, onWork: { work.wake() },
                onPause: { pauseEnds.wake() })
            try remainder.finishSmall(transaction)
            return transaction
        }
        reads = try DatabaseReaders(file: file, engine: engine, connections: readers, limits: limits)
        tokens = try connection.read { db in
            guard
                let tokens = try db.first(
                    "SELECT incarnation, secret FROM store",
                    read: { SyncTokens(incarnation: $0.integer(0), secret: SymmetricKey(data: $0.blob(1))) })
            else { throw SQLError(.damaged, "\(path) has no identity") }
            return tokens
        }
        self.path = path
        self.publishedNames = publishedNames
        self.epochMemory = epochMemory
        self.environment = environment
        self.limits = limits
        self.work = work
        self.assets = assets
        self.previews = previews
        self.now = now
        self.pauseEnds = pauseEnds
        work.start(writes)
        pauseEnds.start(writes, reads, hasPauses: try connection.read { try !SubscriptionPause.users($0).isEmpty })
    }

    /// Makes the removal of a removed type's records.
    var removal: @Sendable (WriteTransaction) -> TypeRemoval {
        { [now, limits, shortGUIDs] in
            TypeRemoval(
                deletion: ImpliedDeletion(transaction: $0, now: now(), limits: limits, shortGUIDs: shortGUIDs))
        }
    }

    /// The write context of the server's own work.
    var ownContext: WriteContext {
        WriteContext(Requester(user: nil), now: now(), limits: limits, isBounded: false)
    }

    package var catalog: Catalog { published.catalog }

    package func modify(_ request: ModifyRequest) async throws -> ModifyResult {
        let catalog = catalog
        let prepared = request.operations.map { operation in
            switch operation {
            case .success(let operation):
                Preparation(
                    operation, type: operation.recordType, catalog: catalog, zone: request.zone, limits: request.limits)
            case .failure(let refused): Preparation.refused(refused.error)
            }
        }
        let run = ModifyRecords(
            request: request, prepared: prepared, preparedVersion: catalog.version, environment: environment,
            now: now(),
            names: request.operations.map { (try? $0.get().recordName) ?? RandomUUID.make(.names) },
            shortGUIDs: shortGUIDs)
        let context = WriteContext(
            Requester(user: request.caller.userRecordName, clientID: request.clientID), now: run.now,
            limits: request.limits, isBounded: request.caller != .operator)
        do {
            return ModifyResult(
                outcomes: try await writes.write(for: context, about: run.onlyRecord) { try run.run($0) },
                isAtomicFailure: false)
        } catch let failure as ModifyRecords.AtomicFailure {
            return ModifyResult(outcomes: failure.outcomes, isAtomicFailure: true)
        }
    }

    package func read(_ request: LookupRequest) -> StoreRead<[Result<RecordBody, ServerError>]> {
        let (published, roleMemory) = (published, roleMemory)
        return reading(
            request.isSmall ? .small : .unknown, allowance: request.allowance, prefetch: { request.prefetch }
        ) { db in
            try request.run(db, catalog: published.current(db), roles: roleMemory.reader())
        }
    }

    package func read(_ request: ZoneChangesRequest) -> StoreRead<ZoneChangesPage> {
        let tokens = tokens
        return reading(allowance: request.allowance) { db in try request.run(db, tokens: tokens) }
    }

    package func readChangedZones(
        owner: String, syncToken: String?, limit: Int
    ) -> StoreRead<DatabaseChangesPage> {
        let tokens = tokens
        return reading { db in
            try DatabaseChanges.run(owner: owner, syncToken: syncToken, limit: limit, tokens: tokens, db)
        }
    }

    package func readZones(owner: String) -> StoreRead<[ZoneState]> {
        let tokens = tokens
        return reading { db in try Zones.list(owner: owner, tokens: tokens, db) }
    }

    package func readZones(_ zones: [ZoneID], for caller: Caller) -> StoreRead<[ZoneState?]> {
        let tokens = tokens
        return reading(.small) { db in try zones.map { try Zones.state($0, for: caller, tokens: tokens, db) } }
    }

    /// A read by `body`, which may restart from the beginning.
    ///
    /// - Parameters:
    ///   - allowance: counts the bytes that `body` reads.
    ///   - prefetch: the record that a small read needs.
    private func reading<T: Sendable>(
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

    package func modify(
        _ operations: [ZoneOperation], by requester: Requester, limits: Limits
    ) async throws -> [Result<ZoneState?, ServerError>] {
        let tokens = tokens
        let context = WriteContext(requester, now: now(), limits: limits)
        return try await writes.write(for: context) { transaction in
            return try operations.map { operation in
                do {
                    switch operation {
                    case .create(let zone):
                        return .success(try Zones.create(zone, limits: limits, tokens: tokens, transaction))
                    case .delete(let zone):
                        try Zones.delete(zone, transaction)
                        return .success(nil)
                    }
                } catch let error as ServerError {
                    return .failure(error)
                }
            }
        }
    }

    // MARK: Sharing

    package func readZones(sharedWith user: String) -> StoreRead<[ZoneState]> {
        let tokens = tokens
        return reading { db in try SharedZones.list(user: user, tokens: tokens, db) }
    }

    package func readChangedZones(
        sharedWith user: String, syncToken: String?, limit: Int
    ) -> StoreRead<DatabaseChangesPage> {
        let tokens = tokens
        return reading { db in
            try SharedZones.changes(user: user, syncToken: syncToken, limit: limit, tokens: tokens, db)
        }
    }

    package func share(_ handle: String, as viewer: Person?) async throws -> ShareMetadata {
        try await reads.read(.small) { db in try ShareMetadata.find(handle, as: viewer, db) }
    }

    package func resolveShare(_ handle: String, as person: Person) async throws -> ShareMetadata {
        let gate = JoinGate(now: now())
        return try await reads.read(.small) { db in
            guard let (row, link) = try ShareTable.find(handle: handle, db) else { throw ShareState.notFound }
            try gate.check(row, token: link, for: person, db)
            return try ShareMetadata.find(handle, as: person, db)
        }
    }

    package func acceptShare(
        _ handle: String, as person: Person, knowsPassword: Bool, clientID: String?, limits: Limits
    ) async throws -> ShareMetadata {
        let desk = desk(person, clientID, limits, knowsPassword: knowsPassword)
        return try await writes.write(for: desk.context) { try desk.accept(handle, $0) }
    }

    package func requestAccess(toShare handle: String, as person: Person, limits: Limits) async throws {
        let desk = desk(person, nil, limits)
        try await writes.write(for: desk.context) { try desk.ask(handle, $0) }
    }

    private func desk(
        _ person: Person, _ clientID: String?, _ limits: Limits, knowsPassword: Bool = false
    ) -> ShareAdmission {
        ShareAdmission(
            person: person, clientID: clientID, now: now(), limits: limits, shortGUIDs: shortGUIDs,
            knowsPassword: knowsPassword)
    }

    package func endShare(
        _ handle: String, as person: Person, limits: Limits, revealRefusal: ServerError?
    ) async throws {
        let desk = desk(person, nil, limits)
        if try await writes.write(for: desk.context, { try desk.decline(handle, $0) }) { return }
        guard let user = person.userRecordName else { throw ShareState.notFound }
        let (share, zone) = try await reads.read(.small) { db in try ShareAdmission.ended(handle, by: person, db) }
        // For an owner or a leaving member, deleting the share record ends the share.
        let deletion = RecordOperation.deletion(of: share)
        let result = try await modify(
            ModifyRequest(
                zone: zone, operations: [.success(deletion)], atomic: true,
                caller: .user(recordName: user), growsSchema: false, limits: limits, revealRefusal: revealRefusal))
        if case .failed(_, let error)? = result.outcomes.first { throw error }
    }

    package func leave(
        _ zones: [ZoneID], as user: String, clientID: String?, limits: Limits
    ) async throws -> [Bool] {
        let desk = desk(Person(userRecordName: user), clientID, limits)
        return try await writes.write(for: desk.context) { transaction in
            try zones.map { try desk.leave($0, transaction) }
        }
    }

    package func knowsUser(_ recordName: String) -> Bool { knownUsers.contains(recordName) }

    package func ensureUser(_ recordName: String) async throws {
        if knowsUser(recordName) { return }
        let (now, knownUsers) = (now(), knownUsers)
        let epoch = try await writes.write(for: nil) { transaction in
            try UserRecords.ensure(recordName, now: now, transaction)
            return knownUsers.epoch
        }
        knownUsers.note(recordName, since: epoch)
    }

    package func usage(owner: String?) async throws -> Usage {
        try await reads.read(.small) { db in
            try owner.map { try UsageTable.find(owner: $0, db) } ?? UsageTable.total(db)
        }
    }

    /// True if background work remains.
    var isWorking: Bool { work.isWorking || pauseEnds.isWorking }

    /// Frees the memory of connections that were idle since the last call.
    func rest() -> (reading: [Rest], writing: Rest) { (reads.rest(), writes.rest()) }

    package func close() async throws {
        await work.close()
        await pauseEnds.close()
        try reads.close()
        if let left = try writes.close() { epochMemory.leave(path, left) }
    }

    /// Closes and empties the log, so that the database file can be moved.
    func closeWhole() async throws {
        await work.close()
        await pauseEnds.close()
        try reads.close()
        try writes.closeWhole()
    }
}
