import CumulusKit
import Foundation

/// What pilots look for without knowing a code: what is near, and what has these words in its name.
struct FindAirports {
    /// Where the lake of Zurich begins.
    private static let place = CKLocation(latitude: 47.3667, longitude: 8.5417)
    private static let distance = 50_000.0

    let airports: [Airport]
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        try await near()
        try await byWords("JOSÉ international")
    }

    private func near() async throws {
        stage.want(
            "The engine stutters over the lake of Zurich. Which airports are within 50 km, nearest first?",
            showing: ["name", "country", "location"])
        let (records, _) = try await database.find(
            Airport.recordType, .near("location", Self.place, within: Self.distance),
            by: [.distance(of: "location", from: Self.place)])
        let expected = airports.map { ($0, kilometres(to: $0)) }.filter { $0.1 <= Self.distance / 1000 }
            .sorted { $0.1 < $1.1 }
        let nearest = expected.map { "\($0.0.iata) \($0.1.oneDecimal) km" }.joined(separator: ", ")
        try stage.check(
            "those the file has within 50 km, in this order: \(nearest)", records.map(\.name),
            is: expected.map(\.0.iata))
    }

    /// A comparison that CumulusKit does not have.
    private func byWords(_ words: String) async throws {
        stage.want("Somebody remembers two words of a name: “\(words)”.", showing: ["name", "city", "country"])
        let answer = try await stage.server.ask(
            database.container, "database", "public/records/query",
            [
                "query": [
                    "recordType": .string(Airport.recordType),
                    "filterBy": [
                        [
                            "fieldName": "name", "comparator": "CONTAINS_ALL_TOKENS",
                            "fieldValue": ["value": .string(words), "type": "STRING"],
                        ]
                    ],
                    "sortBy": [["fieldName": "iata", "ascending": true]],
                ]
            ])
        let found = answer["records"]?.array?.map { $0["recordName"]?.string }
        let wanted = Self.words(of: words)
        let expected = airports.filter { wanted.isSubset(of: Self.words(of: $0.name)) }.map(\.iata).sorted()
        try stage.check("all with both, whatever their case and accents", found, is: expected)
    }

    private static func words(of text: String) -> Set<Substring> {
        Set(
            text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
                .split { !$0.isLetter && !$0.isNumber })
    }

    /// Along a great circle, by the angle between the two directions from the middle of the earth.
    private func kilometres(to airport: Airport) -> Double {
        let (here, there) = (
            direction(Self.place.latitude, Self.place.longitude), direction(airport.latitude, airport.longitude)
        )
        let cosine = here.x * there.x + here.y * there.y + here.z * there.z
        return acos(min(max(cosine, -1), 1)) * 6371.0088
    }

    private func direction(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double, z: Double) {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
