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

    /// The whole record, written whatever was there before, so that the play can be repeated.
    var saving: JSON {
        [
            "operationType": "forceReplace",
            "record": [
                "recordType": .string(Self.recordType), "recordName": .string(iata), "fields": fields,
            ],
        ]
    }

    private var fields: JSON {
        let fields: JSON = [
            "iata": .field(iata), "icao": .field(icao), "name": .field(name), "country": .field(country),
            "location": .field(latitude: latitude, longitude: longitude), "elevation": .field(elevation),
            "timeZone": .field(timeZone),
        ]
        return city.isEmpty ? fields : fields.with("city", .field(city))
    }
}
