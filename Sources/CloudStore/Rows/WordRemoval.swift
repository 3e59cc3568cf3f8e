import CloudModel
import CloudSQL

extension WriteTransaction {
    /// Removes the words of all records of a zone, in buffered portions.
    func removeWords(ofZone zone: Int64) throws {
        var damaged: [Int64] = []
        try db.each(
            "SELECT id, text_set, body FROM records WHERE zone = ? AND text_set IS NOT NULL", [.integer(zone)]
        ) { row in
            if let fields = try? ParsedBody(row.record(2)).fields {
                try removeWords(of: row.integer(0), fields, set: row.integer(1), zone: zone)
            } else {
                damaged.append(row.integer(0))
            }
            return true
        }
        for record in damaged { try removeUnknownWords(of: record) }
    }
}
