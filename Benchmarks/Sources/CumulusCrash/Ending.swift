import Disk

/// How the server ends in each round.
enum Ending {
    /// By SIGKILL: what it has written stays.
    case kills
    /// With its machine: what a disk may hold then takes the place of its folder.
    case powerCuts(CutFolder)
    /// Not at all: the primary of its database fails, and the standby takes over.
    case failovers(Failover)

    /// What the server must have in its environment.
    func environment() throws -> [String: String] {
        switch self {
        case .kills, .failovers: [:]
        case .powerCuts(let folder): try folder.environment()
        }
    }

    /// Whether the server must be started again.
    var endsServer: Bool { if case .failovers = self { false } else { true } }

    /// Does to the folder of a server that was killed what the round has in store for it, or makes the failed database anew.
    ///
    /// - Returns: what it was, in words.
    func finish(_ round: Int, using random: inout SeededRandom) throws -> String {
        switch self {
        case .kills: return "kill"
        case .powerCuts(let folder):
            let kind = PowerCut.allCases[round % PowerCut.allCases.count]
            try folder.cut(kind, using: &random)
            return "\(kind) power cut"
        case .failovers(let failover): return try failover.renew(round)
        }
    }
}
