import ArgumentParser

/// Records with every kind of index on them. A hundred in a row share a town, its tag, its word and its neighbourhood,
/// so that a question about one town has as many answers however many records there are.
struct PlaceRecord {
    static let type = "Place"
    static let perTown = 100
    private static let townsInColumn = 80

    enum Field: String, CaseIterable, ExpressibleByArgument {
        /// The number, which every record has.
        case number
        case code, name, tags, location
    }

    let fields: Set<Field>

    func creating(_ number: Int) -> String {
        let values = Field.allCases.filter { $0 == .number || fields.contains($0) }.map { value($0, number) }
            .joined(separator: ",")
        return
            #"{"operationType":"forceReplace","record":{"recordType":"\#(Self.type)","recordName":"place-\#(number)","#
            + #""fields":{\#(values)}}}"#
    }

    private func value(_ field: Field, _ number: Int) -> String {
        let town = number / Self.perTown
        switch field {
        case .number: return #""number":{"value":\#(number),"type":"INT64"}"#
        case .code: return #""code":{"value":"\#(town)-\#(number)","type":"STRING"}"#
        case .name: return #""name":{"value":"The place number\#(number) of town\#(town)","type":"STRING"}"#
        case .tags: return #""tags":{"value":["everywhere","tag-\#(town)"],"type":"STRING_LIST"}"#
        case .location:
            let (latitude, longitude) = Self.position(number)
            return #""location":{"value":{"latitude":\#(latitude),"longitude":\#(longitude)},"type":"LOCATION"}"#
        }
    }

    /// The first towns lie one degree apart from the equator upwards on one meridian, the next ones beside them. Places of
    /// a town are within four kilometres of it.
    private static func position(_ number: Int) -> (latitude: Double, longitude: Double) {
        let (town, place) = (number / perTown, number % perTown)
        return (
            Double(town % townsInColumn) + Double(place / 10) * 0.003,
            Double(town / townsInColumn) * 1.4 - 87 + Double(place % 10) * 0.003
        )
    }
}
