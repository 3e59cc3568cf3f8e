/// A pilot corrects one airport, which makes it the newest of all of them.
struct CorrectAirport {
    let airports: [Airport]
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        stage.want("Zurich's runway was measured anew: save its elevation, if nobody changed the record meanwhile.")
        let tag = try await client.post("public/records/lookup", ["records": ["recordName": "ZRH"]]).records.first?.tag
        let answer = try await stage.ask(
            client, "public/records/modify",
            [
                "operations": [
                    [
                        "operationType": "update",
                        "record": [
                            "recordName": "ZRH", "recordChangeTag": .string(tag ?? ""),
                            "fields": ["elevation": .field(1417.5)],
                        ],
                    ]
                ]
            ],
            show: ["name", "elevation", "recordChangeTag"])
        let record = answer.records.first
        try stage.check("the new elevation is there", record?.number("elevation"), is: 1417.5)
        try stage.check("the name was left as it was", record?.string("name"), is: name(of: "ZRH"))
        try stage.check("the record has a new change tag", record?.tag != tag && record?.tag.isEmpty == false, is: true)
        try await newestFirst()
    }

    private func newestFirst() async throws {
        stage.want("All airports, the most recently changed first, page by page.")
        let body: JSON = [
            "query": [
                "recordType": .string(Airport.recordType),
                "sortBy": [["systemFieldName": "modifiedTimestamp", "ascending": false]],
            ],
            "resultsLimit": 200, "desiredKeys": ["name"],
        ]
        let first = try await stage.ask(client, "public/records/query", body, show: ["name"])
        var seen = first.records
        var marker = first.continuationMarker
        var pages = 1
        while let next = marker {
            let page = try await client.post("public/records/query", body.with("continuationMarker", .string(next)))
            try requireOK(page)
            seen += page.records
            marker = page.continuationMarker
            pages += 1
        }
        try check(seen, pages: pages)
    }

    private func requireOK(_ page: CloudAnswer) throws {
        guard page.status == 200 else {
            throw Mismatch(what: "the next page of a query", expected: "200", got: page.summary)
        }
    }

    private func check(_ seen: [CloudRecord], pages: Int) throws {
        let times = seen.map(\.modified)
        try stage.check("Zurich comes first", seen.first?.name, is: "ZRH")
        try stage.check("newest first on all \(pages) pages", times == times.sorted(by: >), is: true)
        try stage.check("no airport twice", Set(seen.map(\.name)).count, is: seen.count)
        try stage.check(
            "no airport missing", Set(airports.map(\.iata)).subtracting(seen.map(\.name)).sorted(), is: [])
    }

    private func name(of code: String) -> String? { airports.first { $0.iata == code }?.name }
}
