import CloudModel
import GRDB

/// What a request writes through: the connection, the schema as of now, and what has to be written once per group.
///
/// Used on the write door's queue only. Its state mirrors the database; an undone request undoes it too.
final class WriteTransaction {
    let db: Database
    /// Whose request is being written; nil for one that nobody is told of.
    var occasion: Occasion?
    /// Statements whose text depends on what subscriptions ask.
    let statements = StatementCache()
    let watchedQueries = WatchedQueries()
    private let published: PublishedCatalog
    private let roleMemory: RoleMemory
    let container: String
    private let onNotify: NotifyTokens
    /// What of a schema change is done at once.
    let pace: BuildPace
    private let onWork: @Sendable () -> Void
    private var state: State
    private var before: State
    /// What subscriptions the last commit left.
    private var committedWatched: WatchedTypes
    private var valuesStatements: (version: Int64, byType: [Int64: ValuesStatement]) = (0, [:])
    private var textSets = TextSets()
    private var zones: [ZoneID: ZoneRow] = [:]
    /// Zones whose entry above the current request has changed.
    private var zonesInDoubt: [ZoneID] = []
    private var roleNumbers = BoundedCache<String, Set<Int64>>()

    private struct State {
        var catalog: Catalog
        var position: Int64
        var touchedZones: [Int64: Int64] = [:]
        var touchedShares: [Int64: Int64] = [:]
        var usage: [String: Usage] = [:]
        var watched: WatchedTypes
        var words = WordBuffer()
        var pending = PendingChanges()
        var listeners = Listeners()
        /// Push tokens that have something new in their queue.
        var woken: Set<Int64> = []
        /// Whether something of a schema change is left for later.
        var wantsWork = false
        /// Users whose roles have changed since the last commit.
        var withNewRoles: Set<String> = []
    }

    /// - Parameters:
    ///   - container: the container's name, which notifications give.
    ///   - onNotify: called after a commit with the push tokens that got a message.
    ///   - onWork: called after a commit that left something of a schema change for later.
    init(
        db: Database, published: PublishedCatalog, roleMemory: RoleMemory = RoleMemory(), container: String,
        pace: BuildPace = BuildPace(), onNotify: @escaping NotifyTokens = { _ in },
        onWork: @escaping @Sendable () -> Void = {}
    ) throws {
        self.db = db
        self.roleMemory = roleMemory
        self.pace = pace
        self.onWork = onWork
        self.container = container
        self.published = published
        self.onNotify = onNotify
        let catalog = try CatalogReader.load(db)
        published.set(catalog)
        let position = try db.first("SELECT position FROM store") { $0.integer(0) } ?? 0
        committedWatched = try WatchedTypes.load(db)
        state = State(catalog: catalog, position: position, watched: committedWatched)
        before = state
    }

    // MARK: What requests use

    /// What subscriptions there are, as of now.
    var watched: WatchedTypes {
        get { state.watched }
        set { state.watched = newValue }
    }

    /// The devices that the current request tells something.
    var listeners: Listeners {
        _read { yield state.listeners }
        _modify { yield &state.listeners }
    }

    /// Lets who waits by this push token know once the change is on disk.
    func wake(token: Int64) { state.woken.insert(token) }

    var catalog: Catalog { state.catalog }

    /// A position no change has had before, in commit order because there is one writer.
    func nextPosition() -> Int64 {
        state.position += 1
        return state.position
    }

    /// Goes on counting after this position, when changes come with positions they were given elsewhere.
    func reach(_ position: Int64) { state.position = max(position, state.position) }

    /// Marks a zone as changed at `position`, for changes/database.
    func touch(zone: Int64, at position: Int64) {
        note(zone: zone)
        state.touchedZones[zone] = max(position, state.touchedZones[zone] ?? 0)
    }

    /// Marks a share as changed at `position`, for changes/database of its members.
    func touch(share: Int64, at position: Int64) {
        state.touchedShares[share] = position
        if isWatching { state.pending.add(share: share) }
    }

    // MARK: What subscribers are told

    private var isWatching: Bool { occasion != nil && state.watched.hasOthers }

    /// Notes that a zone has changed, come or gone.
    func note(zone: Int64) { if isWatching { state.pending.add(zone: zone) } }

    /// Notes that a share has come or gone for a user.
    func note(member user: String) { if isWatching { state.pending.add(member: user) } }

    /// Notes that a record has come or changed, or is about to go.
    func note(
        _ reason: FiringReasons, of record: Int64, named name: String, _ type: RecordType, in zone: ZoneID, _ row: Int64
    ) throws {
        guard occasion != nil, state.watched.fields(ofType: type.id) != nil else { return }
        var change = RecordChange(
            id: RandomUUID.make(), record: record, name: name, zone: row, zoneID: zone, type: type, reason: reason)
        if reason == .delete { change.departures = try matching.firings(change) }
        state.pending.add(change)
    }

    private var matching: RecordMatching { RecordMatching(container: container, transaction: self) }

    // MARK: What requests count

    /// Counts what `owner` stores more, or less.
    func count(bytes: Int, records: Int, owner: String) {
        state.usage[owner, default: Usage()].bytes += Int64(bytes)
        state.usage[owner, default: Usage()].records += Int64(records)
    }

    /// The live zone of that name and owner; the writer is alone, so what it remembers stays true.
    func zone(_ id: ZoneID) throws -> ZoneRow? {
        if let known = zones[id] { return known }
        guard let row = try ZoneTable.find(id, db) else { return nil }
        remember(row, id)
        return row
    }

    func remember(_ row: ZoneRow, _ id: ZoneID) {
        if zones.count > 10_000 { zones.removeAll() }
        zones[id] = row
        zonesInDoubt.append(id)
    }

    func forgetZone(_ id: ZoneID) { zones[id] = nil }

    /// The numbers of a user's custom roles.
    func roleNumbers(of user: String) throws -> Set<Int64> {
        if let known = roleNumbers[user] { return known }
        let numbers = try UserRoles.numbers(of: user, db)
        roleNumbers[user] = numbers
        return numbers
    }

    /// To be called when a user's roles have been written.
    func forgetRoles(of user: String) {
        roleNumbers[user] = nil
        state.withNewRoles.insert(user)
    }

    /// The statement for a type's values, made once per version of the schema.
    func valuesStatement(_ type: RecordType) -> ValuesStatement {
        if valuesStatements.version != catalog.version { valuesStatements = (catalog.version, [:]) }
        if let known = valuesStatements.byType[type.id] { return known }
        let statement = ValuesStatement(type)
        valuesStatements.byType[type.id] = statement
        return statement
    }

    // MARK: Words

    /// Of the records of a type, as the schema is now; nil where no words are kept.
    func textSet(of type: RecordType) throws -> TextSet? { try textSets.current(type, catalog, db) }

    func add(words tokens: String, to record: Int64) throws {
        state.words.add(tokens, to: record)
        if state.words.isFull { try flushWords() }
    }

    /// - Parameter fields: those that the record has had.
    func removeWords(of record: Int64, _ fields: JSONObject, set: Int64, zone: Int64) throws {
        guard let tokens = try textSets.find(set, db)?.tokens(of: fields, zone: zone) else { return }
        state.words.remove(tokens, from: record)
        if state.words.isFull { try flushWords() }
    }

    /// What the group has waiting is written in the request; when that is undone it waits again.
    private func flushWords() throws { try state.words.flush(db) }

    /// Replaces the schema from here on; readers learn of it after the commit.
    func adopt(_ catalog: Catalog) {
        state.catalog = catalog
        // A schema that goes may take the records of users along.
        roleNumbers = BoundedCache()
    }

    /// Takes the schema from the tables, which were changed, as the next version.
    func reloadSchema() throws {
        try db.run("UPDATE store SET catalog_version = catalog_version + 1")
        adopt(try CatalogReader.load(db))
        wantWork()
    }

    /// Has what is left of a schema change gone on with once this is on disk.
    func wantWork() { state.wantsWork = true }

    /// The last position given out.
    var position: Int64 { state.position }

    /// Undoes what the current request wrote so far, to begin it anew.
    func restartRequest() throws {
        try db.run("ROLLBACK TO request")
        state = before
        for zone in zonesInDoubt { zones[zone] = nil }
        roleNumbers = BoundedCache()
        forgetSchemas()
    }

    /// Does what may fail within a request: what it wrote is undone then, and the request goes on without it.
    ///
    /// - Throws: what ended the whole transaction.
    func attempt(_ body: () throws -> Void) throws {
        let before = state
        try db.run("SAVEPOINT attempt")
        do { try body() } catch {
            guard db.isInsideTransaction else { throw error }
            try db.run("ROLLBACK TO attempt")
            state = before
            for zone in zonesInDoubt { zones[zone] = nil }
            roleNumbers = BoundedCache()
            forgetSchemas()
        }
        try db.run("RELEASE attempt")
    }

    /// The version that was undone will be another schema next time.
    private func forgetSchemas() {
        valuesStatements = (0, [:])
        textSets = TextSets()
        watchedQueries.forget()
    }

    // MARK: What the write door uses

    func beginRequest() throws {
        try db.run("SAVEPOINT request")
        before = state
        occasion = nil
        zonesInDoubt.removeAll(keepingCapacity: true)
    }

    /// Tells subscribers what the request has changed, as a part of it: to be called when nothing more will.
    func tellSubscribers() throws {
        if !state.pending.isEmpty { try ChangeAnnouncer(matching: matching).announce(state.pending) }
        try state.listeners.flush(db)
        (state.listeners, state.pending) = (Listeners(), PendingChanges())
    }

    func endRequest(keep: Bool) throws {
        if !keep { try restartRequest() }
        try db.run("RELEASE request")
    }

    /// Writes what is counted per group.
    func flush() throws {
        try flushWords()
        try db.run("UPDATE store SET position = ?", .integer(state.position))
        for (zone, position) in state.touchedZones {
            try db.run("UPDATE zones SET position = ? WHERE id = ?", .integer(position), .integer(zone))
        }
        for (share, position) in state.touchedShares {
            try db.run("UPDATE shares SET position = ? WHERE id = ?", .integer(position), .integer(share))
        }
        for (owner, usage) in state.usage { try UsageTable.add(usage, owner: owner, db) }
    }

    func committed() {
        state.touchedZones.removeAll()
        state.touchedShares.removeAll()
        state.usage.removeAll()
        published.set(state.catalog)
        roleMemory.forget(state.withNewRoles)
        state.withNewRoles.removeAll()
        committedWatched = state.watched
        if !state.woken.isEmpty { onNotify(state.woken) }
        state.woken.removeAll()
        if state.wantsWork { onWork() }
        state.wantsWork = false
    }

    /// To be called before the connection closes, which it will not with statements left.
    func close() { statements.removeAll() }

    /// After a lost group: what is remembered may not be so. Reads anew what cannot be asked for later.
    func forget() {
        zones.removeAll()
        roleNumbers = BoundedCache()
        forgetSchemas()
        let stored = (try? db.first("SELECT position FROM store") { $0.integer(0) }) ?? nil
        let position = max(stored ?? 0, state.position)
        state = State(catalog: published.catalog, position: position, watched: committedWatched)
    }
}
