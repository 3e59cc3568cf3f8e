/// Atomic batches in the custom zone: most are good, every fourth holds an operation that must fail all of it.
struct AtomicBatches {
    private static let size = 5
    private static let mostPerRound = 120

    let world: World
    let round: Int
    let writer: Int

    func run() async {
        var random = SeededRandom(seed: world.seed, round: round, writer: UInt64(writer))
        for number in 0..<Self.mostPerRound where !world.server.isEnding {
            let doomed = Int.random(in: 0..<4, using: &random) == 0
            await write(number, doomed: doomed)
        }
    }

    private func write(_ number: Int, doomed: Bool) async {
        let names = (0..<Self.size).map { "batch-\(round)-\(writer)-\(number)-\($0)" }
        var operations = names.map { Operations.create($0, value: "of-\($0)", number: number) }
        if doomed {
            operations.append(Operations.update("batch-nowhere", tag: "0", value: "never", number: 0))
        }
        let outcomes = await world.modify(operations, zone: World.zone, atomic: true)
        if doomed { judgeDoomed(names, outcomes) } else { judge(names, outcomes) }
    }

    private func judge(_ names: [String], _ outcomes: [Outcome]) {
        var unanswered = 0
        for (name, outcome) in zip(names, outcomes) {
            switch outcome {
            case .acknowledged(let version): world.ledger.acknowledge(name, version)
            case .unknown:
                unanswered += 1
                world.ledger.leaveOpen(name, [Version(value: "of-\(name)")])
            case .refused(let code): world.findings.add("\(name) of a good batch was refused with \(code)")
            }
        }
        if unanswered > 0 { world.ledger.leaveOpen(Ledger.Batch(names: names)) }
    }

    /// The ledger is left without these names: whatever of them turns up later is a finding.
    private func judgeDoomed(_ names: [String], _ outcomes: [Outcome]) {
        let accepted = outcomes.contains { if case .acknowledged = $0 { true } else { false } }
        if accepted { world.findings.add("a batch with a failing operation was acknowledged: \(names[0])…") }
    }
}
