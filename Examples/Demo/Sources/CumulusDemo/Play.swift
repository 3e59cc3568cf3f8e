import AsyncHTTPClient

/// The whole evening: who plays, in which order, and what it came to.
struct Play {
    private static let airportContainer = "iCloud.com.jkadans.ProPilotApp"
    private static let familyContainer = "iCloud.net.dataenvy.TribeBoard"
    private static let holidayContainer = "iCloud.com.swapp1990.vacationphotos"
    private static let clipboardContainer = "iCloud.J894ABBU74.ClippyIsle"
    private static let grandparentsContainer = "iCloud.Sofanauts.GrandparentMemories"
    private static let person = "anna@example.com"
    private static let friend = "ben@example.com"
    private static let other = "clara@example.com"

    let origin: String
    let apiToken: String
    /// Nil when the family's schema was not deployed.
    let familyProductionToken: String?
    let airports: [Airport]
    let photos: [Photo]
    let console: Console
    let http: HTTPClient

    func perform() async throws {
        let stage = Stage(console: console)
        let tally = Tally()
        let start = ContinuousClock.now
        try await playAirports(on: stage, tally)
        try await playFamily(on: stage, tally)
        var links = try await playHoliday(on: stage, tally)
        links += try await playClipboard(on: stage, tally)
        links += try await playGrandparents(on: stage, tally)
        let seconds = start.duration(to: .now) / .seconds(1)
        let counts = tally.counts
        console.line()
        console.line(
            "All as it should be: \(counts.records.grouped) records in \(counts.requests.grouped) requests, "
                + "\(seconds.oneDecimal) s, \(Int(Double(counts.records) / seconds).grouped) records/s.", .good)
        tell(counts.wakings.sorted())
        show(links)
    }

    private func tell(_ wakings: [Duration]) {
        guard let longest = wakings.last else { return }
        console.line(
            "Devices were woken \(wakings.count) times, \(wakings[wakings.count / 2].milliseconds) after the change was "
                + "sent in the middle and \(longest.milliseconds) at most.", .good)
    }

    private func show(_ links: [Link]) {
        console.line()
        console.line("Open these in a browser:", .wish)
        for link in links {
            console.line(link.url, .request, indent: 2)
            console.line(link.what, .quiet, indent: 4)
        }
        console.line()
        console.line("To be one of the people of this play, sign in with one click on their address:", .wish)
        console.line("\(origin)/auth/signin", .request, indent: 2)
        for (address, what) in [
            (Self.person, "who shares all of these, and settles what others see"),
            (Self.friend, "whom she invited"), (Self.other, "whom she did not"),
        ] {
            console.line("\(address), \(what)", .quiet, indent: 4)
        }
        console.line("\(origin)/auth/signout", .request, indent: 2)
        console.line("to be somebody else", .quiet, indent: 4)
    }

    private func playAirports(on stage: Stage, _ tally: Tally) async throws {
        let client = try await signIn(to: Self.airportContainer, tally)
        stage.act("Airports for everybody: the public database of \(Self.airportContainer)")
        try await LoadAirports(airports: airports, client: client, stage: stage).play()
        try await AskForAirports(airports: airports, client: client, stage: stage).play()
        try await FindAirports(airports: airports, client: client, stage: stage).play()
        try await CorrectAirport(airports: airports, client: client, stage: stage).play()
        stage.act("Told of one country's airports")
        let ben = try await signIn(Self.friend, to: Self.airportContainer, tally)
        try await WatchCountry(airports: airports, contributor: client, watcher: ben, stage: stage).play()
        stage.act("What two devices of one pilot learn: the key-value store of \(Self.airportContainer)")
        try await LearnCodes(client: client, stage: stage).play()
        stage.act("The same as records, in the private database")
        try await KeepMappings(client: client, stage: stage).play()
    }

    private func playFamily(on stage: Stage, _ tally: Tally) async throws {
        let client = try await signIn(to: Self.familyContainer, tally)
        stage.act("A family of one's own: the private database of \(Self.familyContainer)")
        try await FoundFamily(client: client, stage: stage).play()
        try await AskForFamily(client: client, stage: stage).play()
        stage.act("Two devices, one record")
        try await TwoDevices(client: client, stage: stage).play()
        try await AllOrNothing(client: client, stage: stage).play()
        stage.act("Woken by changes")
        try await SubscribeToFamily(client: client, stage: stage).play()
        try await HearOfFamily(client: client, stage: stage).play()
        stage.act("Following the changes")
        try await FollowChanges(client: client, stage: stage).play()
        guard let token = familyProductionToken else { return }
        stage.act("The same in production, whose schema was deployed")
        let production = try await CloudClient.signIn(
            Self.person, to: Self.familyContainer, "production", at: origin, apiToken: token, over: http, tally: tally)
        try await GoToProduction(client: production, stage: stage).play()
    }

    private func playHoliday(on stage: Stage, _ tally: Tally) async throws -> [Link] {
        let anna = try await signIn(to: Self.holidayContainer, tally)
        stage.act("Holiday photos for whoever has the link: the public database of \(Self.holidayContainer)")
        try await PublishTrip(photos: photos, client: anna, stage: stage).play()
        try await OpenTrip(photos: photos, client: anna.stranger, stage: stage).play()
        let link = try await BrowseTrip(photos: photos, client: anna.stranger, stage: stage).play()
        try await SettleTrip(photos: photos, owner: anna, link: link, stage: stage).play()
        return [link]
    }

    private func playClipboard(on stage: Stage, _ tally: Tally) async throws -> [Link] {
        let anna = try await signIn(to: Self.clipboardContainer, tally)
        let ben = try await signIn(Self.friend, to: Self.clipboardContainer, tally)
        let clara = try await signIn(Self.other, to: Self.clipboardContainer, tally)
        stage.act("One thing from the clipboard, sent as a link: the private database of \(Self.clipboardContainer)")
        let links = try await ShareItems(photo: photos[0], friend: Self.friend, client: anna, stage: stage).play()
        try await BrowseItems(photo: photos[0], links: links, client: anna.stranger, stage: stage).play()
        try await EditTogether(owner: anna, friend: ben, stranger: clara, link: links.note, stage: stage).play()
        try await ReadAndLeave(owner: anna, friend: ben, link: links.bookmark, stage: stage).play()
        try await StopSharing(owner: anna, friend: ben, link: links.secret, stage: stage).play()
        return [links.note, links.bookmark, links.picture]
    }

    private func playGrandparents(on stage: Stage, _ tally: Tally) async throws -> [Link] {
        let anna = try await signIn(to: Self.grandparentsContainer, tally)
        let ben = try await signIn(Self.friend, to: Self.grandparentsContainer, tally)
        stage.act("Two grandparents, one album: private for one, shared for the other")
        let album = Album(owner: anna, guest: ben, guestAddress: Self.friend, stage: stage)
        let link = try await ShareGrandchild(album: album, photos: photos).play()
        try await KeepTogether(album: album).play()
        try await HearOfEachOther(album: album).play()
        try await LeaveAndReturn(album: album, link: link).play()
        return [try await ShareEverything(album: album, link: link).play()]
    }

    private func signIn(
        _ email: String = Self.person, to container: String, _ tally: Tally
    ) async throws -> CloudClient {
        try await CloudClient.signIn(email, to: container, at: origin, apiToken: apiToken, over: http, tally: tally)
    }
}
