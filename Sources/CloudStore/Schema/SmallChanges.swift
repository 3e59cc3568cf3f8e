import CloudModel
import CloudSQL

/// Does at once what is soon done of a schema change, as many records as one transaction bears in all.
///
/// What cannot be done, since a record is damaged or the disk full, is left to the work beside other writes, which tells
/// why.
struct SmallChanges {
    let transaction: WriteTransaction
    let removal: TypeRemoval
    private var db: SQLConnection { transaction.db }

    init(_ transaction: WriteTransaction, removal: TypeRemoval) {
        self.transaction = transaction
        self.removal = removal
    }

    func run() throws {
        var rest = transaction.pace.mostDerivedAtOnce
        let builds = try IndexBuilds.all(db)
        // A record that loses a value gets a new tag, which a cascade would take for that of a later write.
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
