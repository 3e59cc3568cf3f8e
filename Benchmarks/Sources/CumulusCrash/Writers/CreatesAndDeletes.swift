/// One writer of records nobody else touches: creates them one after the other, and deletes one now and then.
struct CreatesAndDeletes {
    /// Enough for a kill to hit one, few enough that fifty rounds stay quick to verify.
    private static let mostPerRound = 400

    let world: World
    let round: Int
    let writer: Int
    /// The custom zone to write to, or nil for the public database.
    let zone: String?

    func run() async {
        var random = SeededRandom(seed: world.seed, round: round, writer: UInt64(writer))
        var written: [(name: String, version: Version)] = []
        for number in 0..<Self.mostPerRound where !world.server.isEnding {
            if written.count > 4, Int.random(in: 0..<5, using: &random) == 0 {
                let victim = written.remove(at: Int.random(in: 0..<written.count, using: &random))
                await delete(victim.name, victim.version)
            } else if let created = await create(number) {
                written.append(created)
            }
        }
    }

    private func create(_ number: Int) async -> (name: String, version: Version)? {
        let name = "\(zone == nil ? "open" : "own")-\(round)-\(writer)-\(number)"
        let value = "created-\(round)-\(writer)-\(number)"
        let operation = Operations.create(name, value: value, number: number)
        switch await world.modify([operation], zone: zone)[0] {
        case .acknowledged(let version):
            if version.value != value { world.findings.add("\(name) came back as \(version)") }
            world.ledger.acknowledge(name, version)
            return (name, version)
        case .unknown:
            world.ledger.leaveOpen(name, [Version(value: value)])
        case .refused(let code):
            world.findings.add("creating \(name), which nobody has, was refused with \(code)")
        }
        return nil
    }

    private func delete(_ name: String, _ version: Version) async {
        switch await world.modify([Operations.delete(name, tag: version.tag ?? "")], zone: zone)[0] {
        case .acknowledged: world.ledger.acknowledge(name, .absent)
        case .unknown: world.ledger.leaveOpen(name, [.absent])
        case .refused(let code):
            world.findings.add("deleting \(name) under its own tag \(version.tag ?? "") was refused with \(code)")
        }
    }
}
