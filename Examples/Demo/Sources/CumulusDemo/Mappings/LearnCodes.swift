import CumulusKit

/// Two devices of one pilot learn which ICAO code belongs to an IATA code, and share that as key-value pairs.
struct LearnCodes {
    let app: CKContainer
    let stage: Stage

    func play() async throws {
        var phone = KeyValues(device: app.device("phone"), stage: stage)
        var tablet = KeyValues(device: app.device("tablet"), stage: stage)
        try await start(&phone)
        try await hear(from: &phone, on: &tablet)
        try await mergeOffline(&phone, &tablet)
        try await tooMuch(on: &tablet, knowing: phone.values.count)
    }

    private func start(_ phone: inout KeyValues) async throws {
        stage.want("Anna's phone has learned two codes. What an earlier play left goes first.")
        try stage.check(
            "it knows nothing yet, and is told everything there is", try await phone.pull(), is: "INITIAL_SYNC")
        for key in phone.values.keys { phone.set(key, nil) }
        phone.set("SFO", "KSFO")
        phone.set("RIX", "EVRA")
        try stage.check("nothing was overwritten unseen", try await phone.push(), is: [:])
    }

    private func hear(from phone: inout KeyValues, on tablet: inout KeyValues) async throws {
        stage.want("Her tablet starts, and stays on the line.")
        try stage.check("its first synchronization", try await tablet.pull(), is: "INITIAL_SYNC")
        try stage.check("both codes", tablet.values, is: ["SFO": "KSFO", "RIX": "EVRA"])
        let line = try await stage.connect(tablet.device)
        stage.want("The phone learns a third.")
        phone.set("VNO", "EYVI")
        try await stage.hear(["key-value store: SERVER_CHANGE"], on: line) { _ = try await phone.push() }
        try stage.check("a change on the server, the tablet is told", try await tablet.pull(), is: "SERVER_CHANGE")
        try stage.check("so it knows the third", tablet.values["VNO"], is: "EYVI")
    }

    private func mergeOffline(_ phone: inout KeyValues, _ tablet: inout KeyValues) async throws {
        stage.want("Without a network both learn more, and contradict each other about SFO.")
        phone.set("TLL", "EETN")
        phone.set("SFO", "KSFX")
        tablet.set("ARN", "ESSA")
        tablet.set("SFO", "KSFO")
        try stage.check("first the phone is back", try await phone.push(), is: [:])
        let overwritten = try await tablet.push()
        try stage.check(
            "then the tablet, which is told what it took the place of", overwritten?["SFO"]?["value"]?.string,
            is: "KSFX")
        for news in [try await phone.pull(), try await tablet.pull()] {
            try stage.check("news from the server", news, is: "SERVER_CHANGE")
        }
        let union = ["SFO": "KSFO", "RIX": "EVRA", "VNO": "EYVI", "TLL": "EETN", "ARN": "ESSA"]
        try stage.check("the phone knows what either learned, and the later word on SFO", phone.values, is: union)
        try stage.check("and so does the tablet", tablet.values, is: union)
    }

    private func tooMuch(on tablet: inout KeyValues, knowing count: Int) async throws {
        stage.want("The tablet tries to keep a whole chart there, with one code more.")
        let chart = String(repeating: "x", count: (1 << 20) + 1)
        let refused = try await tablet.ask(
            "modify",
            [
                "set": [
                    "chart": ["type": "STRING", "value": .string(chart)], "CPH": ["type": "STRING", "value": "EKCH"],
                ]
            ])
        try stage.check("refused, all of it", refused["serverErrorCode"], is: "QUOTA_EXCEEDED")
        try stage.check("with the number it may have", refused["reason"]?.string?.contains("1048576"), is: true)
        _ = try await tablet.pull()
        try stage.check("and nothing was stored", tablet.values.count, is: count)
    }
}
