import CloudModel
import CloudSQL

/// The state of the records that a page shows: it changes with each change to a record of their zone, or to the schema.
package struct PagePosition: Hashable, Sendable {
    let zone: Int64
    let catalog: Int64
}

extension SharePageStore {
    /// The position of a share's zone; of the public zone without a handle. Nil before the zone exists.
    package func position(of handle: String?) async throws -> PagePosition? {
        try await stored.reads.read(.small) { db in
            let zone: Int64? =
                if let handle { try ShareTable.find(handle: handle, db)?.share.zone } else { try publicZone(db) }
            // Not from remembered rows, which keep the position of their first reading.
            return try zone.flatMap {
                try db.first(
                    "SELECT z.position, s.catalog_version FROM zones z /*!CROSS*/ JOIN store s ON s.id = 1 WHERE z.id = ?",
                    .integer($0)
                ) { PagePosition(zone: $0.integer(0), catalog: $0.integer(1)) }
            }
        }
    }

    private func publicZone(_ db: SQLConnection) throws -> Int64? {
        try ZoneTable.find(ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner), db)?.id
    }
}
