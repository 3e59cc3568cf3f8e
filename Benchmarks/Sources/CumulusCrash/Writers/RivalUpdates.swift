/// Several writers save one record under the same tag at the same time, attempt after attempt.
struct RivalUpdates {
    private static let rivals = 4

    let world: World
    let round: Int
    let record: Int

    private var name: String { "contested-\(record)" }

    func run() async {
        guard var current = await starting() else { return }
        var attempt = 0
        while !world.server.isEnding {
            attempt += 1
            guard let winner = await contend(under: current, attempt: attempt) else { return }
            current = winner
        }
    }

    /// The record as the last round left it, made if this is the first.
    private func starting() async -> Version? {
        let possible = world.ledger.possible(name)
        if possible.count == 1, possible[0].value != nil { return possible[0] }
        let value = "contested-\(round)-start"
        switch await world.modify([Operations.create(name, value: value, number: 0)], zone: World.zone)[0] {
        case .acknowledged(let version):
            world.ledger.acknowledge(name, version)
            return version
        case .unknown: world.ledger.leaveOpen(name, [Version(value: value)])
        case .refused(let code): world.findings.add("creating \(name) was refused with \(code)")
        }
        return nil
    }

    /// One attempt of all rivals under one tag.
    ///
    /// - Returns: the winner's version, or nil when the attempt was cut short.
    private func contend(under current: Version, attempt: Int) async -> Version? {
        let values = (0..<Self.rivals).map { "rival-\(round)-\(attempt)-\($0)" }
        let number = round * 1_000_000 + attempt
        let outcomes = await withTaskGroup(of: (String, Outcome).self) { [world, name] group in
            for value in values {
                let operation = Operations.update(name, tag: current.tag ?? "", value: value, number: number)
                group.addTask { (value, await world.modify([operation], zone: World.zone)[0]) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return judge(outcomes, tag: current.tag ?? "")
    }

    private func judge(_ outcomes: [(String, Outcome)], tag: String) -> Version? {
        var winners: [Version] = []
        var open: [Version] = []
        for (value, outcome) in outcomes {
            switch outcome {
            case .acknowledged(let version):
                if version.value != value { world.findings.add("\(name): \(value) was acknowledged as \(version)") }
                winners.append(version)
            case .unknown: open.append(Version(value: value))
            case .refused("CONFLICT"): break
            case .refused(let code): world.findings.add("\(name): a rival was refused with \(code), not CONFLICT")
            }
        }
        if winners.count > 1 { world.findings.add("\(name): tag \(tag) was won \(winners.count) times: \(winners)") }
        if let winner = winners.first {
            world.ledger.acknowledge(name, winner)
            return winner
        }
        if open.isEmpty {
            world.findings.add("\(name): nobody won tag \(tag)")
        } else {
            world.ledger.leaveOpen(name, open)
        }
        return nil
    }
}
