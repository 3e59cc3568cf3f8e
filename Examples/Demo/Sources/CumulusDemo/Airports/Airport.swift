import CumulusKit

/// An airport of the sample file, and the record it becomes.
struct Airport: Hashable {
    static let recordType = "Airport"

    let iata: String
    let icao: String
    let name: String
    let city: String
    let country: String
    let latitude: Double
    let longitude: Double
    let elevation: Double
    let timeZone: String

    var record: CKRecord {
        let record = CKRecord(
            Self.recordType, iata,
            [
                "iata": iata, "icao": icao, "name": name, "country": country, "elevation": elevation,
                "timeZone": timeZone, "location": CKLocation(latitude: latitude, longitude: longitude),
            ])
        if !city.isEmpty { record["city"] = city }
        return record
    }
}
