import CloudModel
import CloudSQL

/// Finishes the small parts of a schema change in its own transaction, up to a total number of records.
///
/// Failed parts, such as damaged records or a full disk, stay queued for the background work, which reports the error.
struct SmallChanges {
    let transaction: WriteTransaction
    let removal: TypeRemoval
    private var db: SQLConnection { transaction.db }

    init(_ transaction: WriteTransaction, removal: TypeRemoval) {
        self.transaction = transaction
        self.removal = removal
    }

    func run() throws {
        var rest = transaction.schema.pace.mostDerivedAtOnce
        let builds = try IndexBuilds.all(db)
        // A record that loses a value gets a new tag, which a cascade would mistake for a later write.
        let waiting = try CascadeTable.isLeft(db) ? Set(builds.lazy.filter(\.derivesAll).map(\.type)) : []
        for id in Set(builds.map(\.type)).subtracting(waiting).sorted() {
            guard let type = transaction.catalog.type(id: id), type.building == nil,
                let count = try RecordCount(type).upTo(rest, db)
            else { continue }
            rest -= count
            try transaction.attempt {
                try IndexBuilding(transaction: transaction).complete(type: id)
            }
        }
        for type in transaction.catalog.removed.values.sorted(by: { $0.id < $1.id }) {
            guard let count = try RecordCount(type).upTo(rest, db) else { continue }
            rest -= count
            try transaction.attempt { try removal.advance(type, .unbounded) }
        }
    }
}
