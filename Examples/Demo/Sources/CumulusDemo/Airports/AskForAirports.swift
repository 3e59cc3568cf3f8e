/// The questions pilots ask, each held to the answer the file itself gives.
struct AskForAirports {
    let airports: [Airport]
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        try await byCode()
        try await highest(in: "NP", count: 5)
        try await byPrefix("San ")
        try await severalCodes(["BSL", "GVA", "ZRH"])
    }

    private func byCode() async throws {
        stage.want("Which airports are ZRH, JFK and one nobody has heard of?")
        let answer = try await stage.ask(
            client, "public/records/lookup",
            ["records": [["recordName": "ZRH"], ["recordName": "JFK"], ["recordName": "nowhere"]]],
            show: ["icao", "name", "city", "location"])
        let expected = airports.filter { ["ZRH", "JFK"].contains($0.iata) }.sorted { $0.iata > $1.iata }.map(\.icao)
        try stage.check(
            "the two known ones, in the order asked", answer.records.prefix(2).map { $0.string("icao") },
            is: expected)
        try stage.check("the third is NOT_FOUND, beside them", answer.records.last?.errorCode, is: "NOT_FOUND")
    }

    private func highest(in country: String, count: Int) async throws {
        stage.want("Which airports of Nepal lie highest?")
        let answer = try await stage.ask(
            client, "public/records/query",
            [
                "query": [
                    "recordType": .string(Airport.recordType),
                    "filterBy": [.filter("country", "EQUALS", .field(country))],
                    "sortBy": [.sort("elevation", ascending: false)],
                ],
                "resultsLimit": .number(Double(count)), "desiredKeys": ["name", "elevation"],
            ],
            show: ["name", "elevation"])
        let expected = airports.filter { $0.country == country }.map(\.elevation).sorted(by: >).prefix(count)
        try stage.check(
            "the \(count) highest, highest first", answer.records.map { $0.number("elevation") }, is: Array(expected))
        try stage.check("and a marker to go on from", answer.continuationMarker != nil, is: true)
    }

    private func byPrefix(_ prefix: String) async throws {
        stage.want("Which airports have a name that begins with “\(prefix)”?")
        let answer = try await stage.ask(
            client, "public/records/query",
            [
                "query": [
                    "recordType": .string(Airport.recordType),
                    "filterBy": [.filter("name", "BEGINS_WITH", .field(prefix))],
                    "sortBy": [.sort("iata")],
                ]
            ],
            show: ["name", "city", "country"])
        let expected = airports.filter { $0.name.hasPrefix(prefix) }.map(\.iata).sorted()
        try stage.check("all \(expected.count) of them, by code", answer.records.map(\.name), is: expected)
    }

    private func severalCodes(_ codes: [String]) async throws {
        stage.want("The three airports with flights to Geneva, Basel and Zurich, in one question.")
        let answer = try await stage.ask(
            client, "public/records/query",
            [
                "query": [
                    "recordType": .string(Airport.recordType),
                    "filterBy": [.filter("iata", "IN", .field(anyOf: codes))],
                    "sortBy": [.sort("iata")],
                ]
            ],
            show: ["icao", "name", "timeZone"])
        try stage.check("exactly these three", answer.records.map(\.name), is: codes)
    }
}
