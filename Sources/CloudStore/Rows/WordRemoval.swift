import CloudModel
import CloudSQL

extension WordWrites {
    /// Removes the words of all records of a zone, in buffered portions.
    func removeAll(ofZone zone: Int64) throws {
        var damaged: [Int64] = []
        try transaction.db.each(
            "SELECT id, text_set, body FROM records WHERE zone = ? AND text_set IS NOT NULL", [.integer(zone)]
        ) { row in
            if let fields = try? ParsedBody(row.record(2)).fields {
                try remove(of: row.integer(0), fields, set: row.integer(1), zone: zone)
            } else {
                damaged.append(row.integer(0))
            }
            return true
        }
        for record in damaged { try removeUnknown(of: record) }
    }
}
