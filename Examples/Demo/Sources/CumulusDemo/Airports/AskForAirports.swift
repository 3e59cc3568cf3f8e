import CumulusKit

/// The questions pilots ask, each held to the answer the file itself gives.
struct AskForAirports {
    let airports: [Airport]
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        try await byCode()
        try await highest(in: "NP", count: 5)
        try await byPrefix("San ")
        try await severalCodes(["BSL", "GVA", "ZRH"])
    }

    private func byCode() async throws {
        stage.want(
            "Which airports are ZRH, JFK and one nobody has heard of?", showing: ["icao", "name", "city", "location"])
        let found = try await database.records(for: ["ZRH", "JFK", "nowhere"].map { CKRecord.ID(recordName: $0) })
        for code in ["ZRH", "JFK"] {
            let record = try found[CKRecord.ID(recordName: code)]?.get()
            let icao = airports.first { $0.iata == code }?.icao
            try stage.check("\(code) is \(icao ?? "not in the file")", record?.string("icao"), is: icao)
        }
        let wire = stage.server.wire.last
        try stage.check(
            "in the order asked", wire.records.map { $0["recordName"] },
            is: wire.request["records"]?.array?.map { $0["recordName"] } ?? [])
        try stage.check(
            "the third is NOT_FOUND, beside them", found[CKRecord.ID(recordName: "nowhere")]?.code, is: .unknownItem)
    }

    private func highest(in country: String, count: Int) async throws {
        stage.want("Which airports of Nepal lie highest?", showing: ["name", "elevation"])
        let (records, cursor) = try await database.find(
            Airport.recordType, .field("country", .equal, country), by: [.init(key: "elevation", ascending: false)],
            desiredKeys: ["name", "elevation"], limit: count)
        let expected = airports.filter { $0.country == country }.map(\.elevation).sorted(by: >).prefix(count)
        try stage.check(
            "the \(count) highest, highest first", records.map { $0.number("elevation") }, is: Array(expected))
        try stage.check("and a marker to go on from", cursor != nil, is: true)
    }

    private func byPrefix(_ prefix: String) async throws {
        stage.want(
            "Which airports have a name that begins with “\(prefix)”?", showing: ["name", "city", "country"])
        let (records, _) = try await database.find(
            Airport.recordType, .field("name", .beginsWith, prefix), by: [.init(key: "iata")])
        let expected = airports.filter { $0.name.hasPrefix(prefix) }.map(\.iata).sorted()
        try stage.check("all \(expected.count) of them, by code", records.map(\.name), is: expected)
    }

    private func severalCodes(_ codes: [String]) async throws {
        stage.want(
            "The three airports with flights to Geneva, Basel and Zurich, in one question.",
            showing: ["icao", "name", "timeZone"])
        let (records, _) = try await database.find(
            Airport.recordType, .field("iata", .in, codes), by: [.init(key: "iata")])
        try stage.check("exactly these three", records.map(\.name), is: codes)
    }
}
