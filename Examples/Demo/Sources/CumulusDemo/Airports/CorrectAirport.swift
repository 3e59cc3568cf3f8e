import CumulusKit

/// A pilot corrects one airport, which makes it the newest of all of them.
struct CorrectAirport {
    let airports: [Airport]
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        stage.want(
            "Zurich's runway was measured anew: save its elevation, if nobody changed the record meanwhile.",
            showing: ["name", "elevation", "recordChangeTag"])
        let zurich = try await database.record(for: CKRecord.ID(recordName: "ZRH"))
        let tag = zurich.recordChangeTag
        zurich["elevation"] = 1417.5
        try await database.save(zurich)
        try stage.check("the new elevation is there", zurich.number("elevation"), is: 1417.5)
        try stage.check(
            "the name was left as it was", zurich.string("name"), is: airports.first { $0.iata == "ZRH" }?.name)
        try stage.check(
            "the record has a new change tag", zurich.recordChangeTag != nil && zurich.recordChangeTag != tag, is: true)
        try await newestFirst()
    }

    private func newestFirst() async throws {
        stage.want("All airports, the most recently changed first, page by page.", showing: ["name"])
        var (seen, cursor) = try await database.find(
            Airport.recordType, by: [.init(key: "modificationDate", ascending: false)], desiredKeys: ["name"],
            limit: 200)
        var pages = 1
        while let next = cursor {
            let page = try await Wire.quietly {
                try await database.records(continuingMatchFrom: next, resultsLimit: 200)
            }
            seen += try page.matchResults.map { try $0.1.get() }
            cursor = page.queryCursor
            pages += 1
        }
        try stage.check("Zurich comes first", seen.first?.name, is: "ZRH")
        let times = seen.compactMap(\.modificationDate)
        try stage.check(
            "newest first on all \(pages) pages", times.count == seen.count && times == times.sorted(by: >), is: true)
        try stage.check("no airport twice", Set(seen.map(\.name)).count, is: seen.count)
        try stage.check(
            "no airport missing", Set(airports.map(\.iata)).subtracting(seen.map(\.name)).sorted(), is: [])
    }
}
