import CumulusKit

/// The whole evening: who plays, in which order, and what it came to.
struct Play {
    private static let airportContainer = "iCloud.com.jkadans.ProPilotApp"
    private static let familyContainer = "iCloud.net.dataenvy.TribeBoard"
    private static let holidayContainer = "iCloud.com.swapp1990.vacationphotos"
    private static let clipboardContainer = "iCloud.J894ABBU74.ClippyIsle"
    private static let grandparentsContainer = "iCloud.Sofanauts.GrandparentMemories"
    private static let shoppingContainer = "iCloud.com.example.shopping"
    private static let person = "anna@example.com"
    private static let friend = "ben@example.com"
    private static let other = "clara@example.com"

    let server: Server
    /// Nil when the family's schema was not deployed.
    let familyProductionToken: String?
    let airports: [Airport]
    let photos: [Photo]
    let console: Console

    func perform() async throws {
        let stage = Stage(server: server, console: console)
        let start = ContinuousClock.now
        try await playAirports(on: stage)
        try await playFamily(on: stage)
        var links = try await playHoliday(on: stage)
        links += try await playClipboard(on: stage)
        links += try await playGrandparents(on: stage)
        try await playShopping(on: stage)
        stage.endAct()
        Ending(
            counts: server.wire.counts, seconds: start.duration(to: .now) / .seconds(1), wakings: stage.wakings,
            links: links,
            people: [
                (Self.person, "who shares all of these, and settles what others see"),
                (Self.friend, "whom she invited"), (Self.other, "whom she did not"),
            ]
        ).tell(of: server, on: console.whole)
    }

    private func playAirports(on stage: Stage) async throws {
        let anna = try await server.signIn(Self.person, to: Self.airportContainer)
        let ben = try await server.signIn(Self.friend, to: Self.airportContainer)
        let database = anna.publicCloudDatabase
        stage.act(
            "Airports for everybody: the public database of \(Self.airportContainer)",
            showing: ["icao", "name", "city", "elevation"])
        try await LoadAirports(airports: airports, database: database, stage: stage).play()
        try await AskForAirports(airports: airports, database: database, stage: stage).play()
        try await FindAirports(airports: airports, database: database, stage: stage).play()
        try await CorrectAirport(airports: airports, database: database, stage: stage).play()
        stage.act("Told of one country's airports", showing: ["name", "country", "elevation"])
        try await WatchCountry(airports: airports, contributor: anna, watcher: ben, stage: stage).play()
        stage.act("What two devices of one pilot learn: the key-value store of \(Self.airportContainer)")
        try await LearnCodes(app: anna, stage: stage).play()
        stage.act("The same as records, in the private database", showing: ["iata", "icao", "verifiedByCoordinates"])
        try await KeepMappings(app: anna, stage: stage).play()
    }

    private func playFamily(on stage: Stage) async throws {
        let columns = ["displayName", "name", "code", "role", "status", "joinedAt"]
        let anna = try await server.signIn(Self.person, to: Self.familyContainer)
        let database = anna.privateCloudDatabase
        stage.act("A family of one's own: the private database of \(Self.familyContainer)", showing: columns)
        try await FoundFamily(database: database, stage: stage).play()
        try await AskForFamily(database: database, stage: stage).play()
        stage.act("Two devices, one record", showing: ["name", "code", "recordChangeTag"])
        let outdated = try await TwoDevices(database: database, stage: stage).play()
        try await AllOrNothing(outdated: outdated, database: database, stage: stage).play()
        stage.act("Woken by changes", showing: columns)
        try await SubscribeToFamily(app: anna, stage: stage).play()
        try await HearOfFamily(app: anna, stage: stage).play()
        stage.act("Following the changes", showing: columns)
        try await FollowChanges(database: database, stage: stage).play()
        guard let token = familyProductionToken else { return }
        stage.act("The same in production, whose schema was deployed", showing: columns)
        let production = try await server.signIn(Self.person, to: Self.familyContainer, .production, apiToken: token)
        try await GoToProduction(database: production.privateCloudDatabase, stage: stage).play()
    }

    private func playHoliday(on stage: Stage) async throws -> [Link] {
        let anna = try await server.signIn(Self.person, to: Self.holidayContainer)
        stage.act(
            "Holiday photos for whoever has the link: the public database of \(Self.holidayContainer)",
            showing: ["locationName", "sharedBy", "photoCount", "orderIndex"])
        try await PublishTrip(photos: photos, app: anna, stage: stage).play()
        try await OpenTrip(photos: photos, database: anna.stranger.publicCloudDatabase, stage: stage).play()
        let link = try await BrowseTrip(photos: photos, stage: stage).play()
        try await SettleTrip(photos: photos, app: anna, link: link, stage: stage).play()
        return [link]
    }

    private func playClipboard(on stage: Stage) async throws -> [Link] {
        let anna = try await server.signIn(Self.person, to: Self.clipboardContainer)
        let ben = try await server.signIn(Self.friend, to: Self.clipboardContainer)
        let clara = try await server.signIn(Self.other, to: Self.clipboardContainer)
        stage.act(
            "One thing from the clipboard, sent as a link: the private database of \(Self.clipboardContainer)",
            showing: ["name", "type", "text", "cloudkit.title"])
        let links = try await ShareItems(
            photo: photos[0], friend: Self.friend, database: anna.privateCloudDatabase, stage: stage
        ).play()
        try await BrowseItems(photo: photos[0], links: links, stage: stage).play()
        try await EditTogether(owner: anna, friend: ben, stranger: clara, link: links.note, stage: stage).play()
        try await ReadAndLeave(friend: ben, link: links.bookmark, stage: stage).play()
        try await StopSharing(owner: anna, friend: ben, link: links.secret, stage: stage).play()
        return [links.note, links.bookmark, links.picture]
    }

    private func playGrandparents(on stage: Stage) async throws -> [Link] {
        let anna = try await server.signIn(Self.person, to: Self.grandparentsContainer)
        let ben = try await server.signIn(Self.friend, to: Self.grandparentsContainer)
        stage.act(
            "Two grandparents, one album: private for one, shared for the other",
            showing: ["name", "text", "cloudkit.title"])
        let owner = try await Wire.quietly { try await anna.userRecordID().recordName }
        let album = Album(
            owner: anna, guest: ben, guestAddress: Self.friend,
            guestZone: CKRecordZone.ID(zoneName: Album.zone.zoneName, ownerName: owner), stage: stage)
        let link = try await ShareGrandchild(album: album, photo: photos[photos.count - 1]).play()
        try await KeepTogether(album: album, link: link).play()
        try await HearOfEachOther(album: album).play()
        try await LeaveAndReturn(album: album, link: link).play()
        return [try await ShareEverything(album: album, link: link).play()]
    }

    /// Comes last: the server's clock never goes back.
    private func playShopping(on stage: Stage) async throws {
        let anna = try await server.signIn(Self.person, to: Self.shoppingContainer)
        stage.act("A bad day, on purpose: faults in \(Self.shoppingContainer)", showing: ["amount", "bought"])
        try await MeetFaults(app: anna, stage: stage).play()
        stage.act("Two devices, one list, an engine each", showing: ["amount", "bought"])
        try await KeepInStep(app: anna, stage: stage).play()
        stage.act("The day after, at once")
        try await MoveClock(person: Self.person, app: anna, photo: photos[0], stage: stage).play()
    }
}
