package import CloudModel
import CloudSQL

/// The schema state of a write transaction, published after the commit.
final class SchemaPart: TransactionPart {
    private struct State {
        var catalog: Catalog
        /// True if a schema change left background work.
        var wantsWork = false
    }

    /// Limits on immediate schema work, and the pace of background work.
    let pace: BuildPace
    private let published: PublishedCatalog
    private let onWork: @Sendable () -> Void
    private var state: Undoable<State>
    private var values: (version: Int64, byType: [Int64: ValuesStatement]) = (0, [:])

    /// - Parameters:
    ///   - published: receives the schema now and after each commit.
    ///   - onWork: called after a commit that left background work.
    init(
        _ published: PublishedCatalog, pace: BuildPace, onWork: @escaping @Sendable () -> Void, _ db: SQLConnection
    ) throws {
        self.pace = pace
        self.published = published
        self.onWork = onWork
        let catalog = try CatalogReader.load(db)
        published.set(catalog)
        state = Undoable(State(catalog: catalog))
    }

    /// The schema inside the current transaction.
    var catalog: Catalog { state.now.catalog }

    func adopt(_ catalog: Catalog) { state.now.catalog = catalog }

    func wantWork() { state.now.wantsWork = true }

    /// The write statements of a type's values, cached per schema version.
    func values(_ type: RecordType) -> ValuesStatement {
        if values.version != catalog.version { values = (catalog.version, [:]) }
        if let known = values.byType[type.id] { return known }
        let statement = ValuesStatement(type)
        values.byType[type.id] = statement
        return statement
    }

    /// Adopts the schema that another server committed.
    func refresh(_ db: SQLConnection) throws -> Freshness {
        let catalog = try CatalogReader.current(state.now.catalog, db)
        guard catalog.version != state.now.catalog.version else { return .current }
        published.adopt(catalog)
        state.reset(to: State(catalog: catalog))
        return .current
    }

    /// Raises the schema version past any lost version: readers identify schemas by version, so none may be reused.
    func beginHistory(_ db: SQLConnection) throws {
        try db.run("UPDATE store SET catalog_version = catalog_version + ?", .integer(Self.leap))
        state.now.catalog = try CatalogReader.load(db)
        published.forgetUsers()
    }

    /// More schema changes than a failover can lose.
    private static let leap: Int64 = 1 << 20

    func begin() { state.begin() }

    func undo() {
        state.undo()
        // A retry gives the undone version number to a different schema.
        values = (0, [:])
    }

    func keep() { state.keep() }

    func committed() {
        published.set(state.now.catalog)
        if state.now.wantsWork { onWork() }
        state.now.wantsWork = false
    }

    func lost(_ db: SQLConnection) {
        state.reset(to: State(catalog: published.catalog))
        values = (0, [:])
    }
}

extension WriteTransaction {
    /// The schema inside this transaction.
    package var catalog: Catalog { part(SchemaPart.self).catalog }

    package var schema: SchemaWrites { SchemaWrites(transaction: self) }
}

/// Changes of the schema inside a write.
package struct SchemaWrites {
    let transaction: WriteTransaction
    private var part: SchemaPart { transaction.part() }

    /// Limits on immediate schema work, and the pace of background work.
    package var pace: BuildPace { part.pace }

    /// Replaces the schema in this transaction; readers see it after the commit.
    func adopt(_ catalog: Catalog) {
        part.adopt(catalog)
        // A removed schema may include users' records.
        transaction.roles.forgetAll()
    }

    /// Reloads the schema from its changed tables, under the next version.
    package func reload() throws {
        try transaction.db.run("UPDATE store SET catalog_version = catalog_version + 1")
        adopt(try CatalogReader.load(transaction.db))
        wantWork()
    }

    /// Starts the background schema work after the commit.
    func wantWork() { part.wantWork() }

    /// The write statements of a type's values.
    package func values(_ type: RecordType) -> ValuesStatement { part.values(type) }
}
