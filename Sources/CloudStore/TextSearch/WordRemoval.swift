import CloudModel
import CloudSQL

extension WriteTransaction {
    /// Takes out the words of all records of a zone, some at a time.
    func removeWords(ofZone zone: Int64) throws {
        try db.each(
            "SELECT id, text_set, body FROM records WHERE zone = ? AND text_set IS NOT NULL", [.integer(zone)]
        ) { row in
            let fields = try row.record(2).json()["fields"]?.object ?? JSONObject()
            try removeWords(of: row.integer(0), fields, set: row.integer(1), zone: zone)
            return true
        }
    }
}
