import CloudModel

/// Rows that every read needs, cached per connection until the database changes.
final class StableRows {
    private static let mostZones = 256

    private struct ZoneKey: Hashable {
        let owner: ExactName
        let name: ExactName
    }

    var catalogVersion: Int64?
    private var zones = BoundedCache<ZoneKey, ZoneRow>(capacity: mostZones)
    private var last: (zone: ZoneID, row: ZoneRow)?

    /// The cached row of a live zone.
    func zone(_ zone: ZoneID) -> ZoneRow? {
        if let last, last.zone.name.isExactly(zone.name), last.zone.owner.isExactly(zone.owner) { return last.row }
        guard let row = zones[ZoneKey(owner: ExactName(zone.owner), name: ExactName(zone.name))] else { return nil }
        last = (zone, row)
        return row
    }

    func store(_ row: ZoneRow, of zone: ZoneID) {
        zones[ZoneKey(owner: ExactName(zone.owner), name: ExactName(zone.name))] = row
        last = (zone, row)
    }
}
