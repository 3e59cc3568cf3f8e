import Traffic

/// What is looked at after every restart.
struct Inspection {
    private static let sampleSize = 100
    private static let lookupSize = 200

    let world: World
    let reader: FeedReader
    let round: Int
    /// What came before, in words.
    let moment: String

    /// Compares the server with the ledger and the reader with the server, then settles what was open.
    func run() async throws {
        let fresh = try await FeedReader.sync(from: FeedState(), world.session)
        for finding in fresh.findings { note("in a full sync, \(finding)") }
        checkBatches(fresh.state.live)
        checkZone(fresh.state.live)
        try await checkOpenRecords()
        try await checkAssets("asset-\(round)-")
        try await checkReader(against: fresh.state.live)
        try await checkEarlierToken(against: fresh.state.live)
        try await checkLookups(against: fresh.state.live)
    }

    private func note(_ finding: String) { world.findings.add("after \(moment): \(finding)") }

    /// Every acknowledged write is there, nothing is there that nobody wrote.
    private func checkZone(_ live: [String: Version]) {
        let names = world.ledger.names.filter { !$0.hasPrefix("open-") }
        for name in names { check(name, found: live[name] ?? .absent) }
        for stranger in Set(live.keys).subtracting(names) {
            note("\(stranger) is there, although its batch was refused or never answered as good")
        }
    }

    private func check(_ name: String, found: Version) {
        let possible = world.ledger.possible(name)
        if !possible.contains(where: { $0.matches(found) }) {
            note("\(name) is \(found); it can only be \(possible.map(\.description).joined(separator: " or "))")
        }
        world.ledger.settle(name, found)
    }

    private func checkBatches(_ live: [String: Version]) {
        for batch in world.ledger.takeUnansweredBatches() {
            let there = batch.names.filter { live[$0] != nil }
            if !there.isEmpty, there.count < batch.names.count {
                note("an atomic batch is there in part: \(there) of \(batch.names)")
            }
        }
    }

    /// The public database has no feed: its records of this round are looked up.
    private func checkOpenRecords() async throws {
        let names = world.ledger.names.filter { $0.hasPrefix("open-\(round)-") }
        for (name, version) in try await lookUp(names, zone: nil) { check(name, found: version) }
    }

    /// All records of the public database and all assets, once at the end.
    func checkEverything() async throws {
        try await checkAssets("asset-")
        let names = world.ledger.names.filter { $0.hasPrefix("open-") }
        for (name, version) in try await lookUp(names, zone: nil) { check(name, found: version) }
    }

    /// The bytes of the assets whose records' names begin so.
    private func checkAssets(_ prefix: String) async throws {
        for (name, bytes) in world.ledger.assets where name.hasPrefix(prefix) {
            let answer = try await world.session.ask("public/records/lookup", Bodies.lookup([name]))
            guard let link = answer.records.first?.fields?.file?.value.downloadURL else {
                note("\(name) is not there, or without its asset")
                continue
            }
            let found = try await world.session.caller.get(link.replacing("${f}", with: "file"))
            if found.status != 200 || [UInt8](found.body) != bytes {
                note("\(name): status \(found.status), \(found.body.count) bytes of \(bytes.count), or others")
            }
        }
    }

    private func checkReader(against live: [String: Version]) async throws {
        try await reader.catchUp(world)
        compare(reader.current.live, live, "the reader that followed all along")
        reader.remember(round)
    }

    private func checkEarlierToken(against live: [String: Version]) async throws {
        var random = SeededRandom(seed: world.seed, round: round, writer: .max)
        guard let earlier = reader.earlier(using: &random) else { return }
        let later = try await FeedReader.sync(from: earlier, world.session)
        for finding in later.findings { note("from an earlier token, \(finding)") }
        compare(later.state.live, live, "a reader that slept since an earlier round")
    }

    private func checkLookups(against live: [String: Version]) async throws {
        let names = live.keys.shuffled().prefix(Self.sampleSize)
        for (name, version) in try await lookUp(Array(names), zone: World.zone) where version != live[name] {
            note("\(name) is \(version) in a lookup and \(live[name] ?? .absent) in the feed")
        }
    }

    private func compare(_ known: [String: Version], _ live: [String: Version], _ who: String) {
        for name in Set(known.keys).union(live.keys) where known[name] != live[name] {
            note("\(who) has \(name) as \(known[name] ?? .absent), a full sync as \(live[name] ?? .absent)")
        }
    }

    private func lookUp(_ names: [String], zone: String?) async throws -> [(String, Version)] {
        let database = zone == nil ? "public" : "private"
        var found: [(String, Version)] = []
        for start in stride(from: 0, to: names.count, by: Self.lookupSize) {
            let page = Array(names[start..<min(start + Self.lookupSize, names.count)])
            let answer = try await world.session.ask("\(database)/records/lookup", Bodies.lookup(page, zone: zone))
            found += zip(page, answer.records.map(Version.init))
        }
        return found
    }
}
