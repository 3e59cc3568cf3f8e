import CloudEngine
package import CloudModel
package import CloudSQL

/// The background work of removals, done at once in a copy of a database.
package enum UnfinishedRemovals {
    /// Completes removals that a schema change or a large deletion left to the server.
    package static func finish(_ db: SQLConnection, now: @escaping Now) throws {
        let transaction = try WriteTransaction(
            db: db, WriteSources(published: PublishedCatalog(), container: "", now: now))
        let deletion = ImpliedDeletion(
            transaction: transaction, now: Timestamp(milliseconds: 0), limits: Limits(),
            shortGUIDs: ShortGUID(routingKey: ""))
        // Cascades run first: a record that loses a value gets a new tag, which a cascade would mistake for a later
        // write.
        while try CascadeWork(deletion: deletion).step(.unbounded) {}
        while try DroppedZones.step(.unbounded, transaction) {}
        for type in transaction.catalog.types.values where !type.dropped.isEmpty {
            try IndexBuilding(transaction: transaction).complete(type: type.id)
        }
        for type in transaction.catalog.removed.values {
            try TypeRemoval(deletion: deletion).advance(type, .unbounded)
        }
        while try CascadeWork(deletion: deletion).step(.unbounded) {}
        try transaction.flush()
    }
}
