import CloudModel
import CloudSQL

/// The schema as requests change it; others learn of it after the commit.
final class SchemaPart: TransactionPart {
    private struct State {
        var catalog: Catalog
        /// True if a schema change has left work for later.
        var wantsWork = false
    }

    /// The pace of schema changes: the parts that are done at once.
    let pace: BuildPace
    private let published: PublishedCatalog
    private let onWork: @Sendable () -> Void
    private var state: Undoable<State>
    private var values: (version: Int64, byType: [Int64: ValuesStatement]) = (0, [:])

    /// - Parameters:
    ///   - published: told of the schema of each commit, from now on.
    ///   - onWork: called after a commit that left something of a schema change for later.
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

    /// As of now.
    var catalog: Catalog { state.now.catalog }

    func adopt(_ catalog: Catalog) { state.now.catalog = catalog }

    func wantWork() { state.now.wantsWork = true }

    /// The statement for a type's values, made once for each version of the schema.
    func values(_ type: RecordType) -> ValuesStatement {
        if values.version != catalog.version { values = (catalog.version, [:]) }
        if let known = values.byType[type.id] { return known }
        let statement = ValuesStatement(type)
        values.byType[type.id] = statement
        return statement
    }

    /// Goes on with the schema as another server has left it.
    func refresh(_ db: SQLConnection) throws {
        let catalog = try CatalogReader.current(state.now.catalog, db)
        guard catalog.version != state.now.catalog.version else { return }
        published.adopt(catalog)
        state.reset(to: State(catalog: catalog))
    }

    /// A version that was lost must not come again for another schema: readers know schemas by it.
    func beginHistory(_ db: SQLConnection) throws {
        try db.run("UPDATE store SET catalog_version = catalog_version + ?", .integer(Self.leap))
        state.now.catalog = try CatalogReader.load(db)
        published.forgetUsers()
    }

    /// More schema changes than a failover loses.
    private static let leap: Int64 = 1 << 20

    func begin() { state.begin() }

    func undo() {
        state.undo()
        // The version that was undone will be another schema next time.
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
    private var schema: SchemaPart { part() }

    /// The schema as of now.
    var catalog: Catalog { schema.catalog }

    /// The pace of schema changes: the parts that are done at once.
    var pace: BuildPace { schema.pace }

    /// Replaces the schema from here on; readers learn of it after the commit.
    func adopt(_ catalog: Catalog) {
        schema.adopt(catalog)
        // A schema that goes may take the records of users along.
        forgetAllRoles()
    }

    /// Takes the schema from the tables, which were changed, as the next version.
    func reloadSchema() throws {
        try db.run("UPDATE store SET catalog_version = catalog_version + 1")
        adopt(try CatalogReader.load(db))
        wantWork()
    }

    /// Has what is left of a schema change gone on with once this is on disk.
    func wantWork() { schema.wantWork() }

    /// The statement for a type's values.
    func valuesStatement(_ type: RecordType) -> ValuesStatement { schema.values(type) }
}
