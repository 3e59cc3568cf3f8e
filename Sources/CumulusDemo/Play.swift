import AsyncHTTPClient

/// The whole evening: who plays, in which order, and what it came to.
struct Play {
    private static let airportContainer = "iCloud.com.jkadans.ProPilotApp"
    private static let familyContainer = "iCloud.net.dataenvy.TribeBoard"
    private static let person = "anna@example.com"

    let origin: String
    let apiToken: String
    let airports: [Airport]
    let console: Console
    let http: HTTPClient

    func perform() async throws {
        let stage = Stage(console: console)
        let tally = Tally()
        let start = ContinuousClock.now
        try await playAirports(on: stage, tally)
        try await playFamily(on: stage, tally)
        let seconds = start.duration(to: .now) / .seconds(1)
        let counts = tally.counts
        console.line()
        console.line(
            "All as it should be: \(counts.records.grouped) records in \(counts.requests.grouped) requests, "
                + "\(seconds.oneDecimal) s, \(Int(Double(counts.records) / seconds).grouped) records/s.", .good)
    }

    private func playAirports(on stage: Stage, _ tally: Tally) async throws {
        let client = try await signIn(to: Self.airportContainer, tally)
        stage.act("Airports for everybody: the public database of \(Self.airportContainer)")
        try await LoadAirports(airports: airports, client: client, stage: stage).play()
        try await AskForAirports(airports: airports, client: client, stage: stage).play()
        try await CorrectAirport(airports: airports, client: client, stage: stage).play()
    }

    private func playFamily(on stage: Stage, _ tally: Tally) async throws {
        let client = try await signIn(to: Self.familyContainer, tally)
        stage.act("A family of one's own: the private database of \(Self.familyContainer)")
        try await FoundFamily(client: client, stage: stage).play()
        try await AskForFamily(client: client, stage: stage).play()
        stage.act("Two devices, one record")
        try await TwoDevices(client: client, stage: stage).play()
        try await AllOrNothing(client: client, stage: stage).play()
        stage.act("Following the changes")
        try await FollowChanges(client: client, stage: stage).play()
    }

    private func signIn(to container: String, _ tally: Tally) async throws -> CloudClient {
        try await CloudClient.signIn(
            Self.person, to: container, at: origin, apiToken: apiToken, over: http, tally: tally)
    }
}
