import Disk

/// How the server ends in each round.
enum Ending {
    /// By SIGKILL: what it has written stays.
    case kills
    /// With its machine: what a disk may hold then takes the place of its folder.
    case powerCuts(CutFolder)

    /// What the server must have in its environment.
    func environment() throws -> [String: String] {
        switch self {
        case .kills: [:]
        case .powerCuts(let folder): try folder.environment()
        }
    }

    /// Does to the folder of a server that was killed what the round has in store for it.
    ///
    /// - Returns: what it was, in words.
    func finish(_ round: Int, using random: inout SeededRandom) throws -> String {
        switch self {
        case .kills: return "kill"
        case .powerCuts(let folder):
            let kind = PowerCut.allCases[round % PowerCut.allCases.count]
            try folder.cut(kind, using: &random)
            return "\(kind) power cut"
        }
    }
}
