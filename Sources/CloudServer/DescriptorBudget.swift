/// Divides the descriptors of the process so that they are never used up. A library that asks for one then does not get
/// it, and some libraries end the process over it.
struct DescriptorBudget: Hashable, Sendable {
    /// Environments open at a time.
    let environments: Int
    /// Connections answered at a time.
    let connections: Int
    /// Files of assets open at a time.
    let files: Int

    /// For the accounts, event loops, mail programs, previews, webhooks, a store of assets and what the system libraries
    /// open.
    private static let reserve = 128
    /// The file and the log of a writer and four readers, and the memory they share.
    private static let perEnvironment = 11
    /// One to read from and one for the kernel to send from.
    private static let perFile = 2

    /// - Parameters:
    ///   - limit: descriptors the process may have.
    ///   - connections: as many as are wanted.
    ///   - environments: as many as are wanted.
    init(limit: Int, connections: Int, environments: Int) {
        let free = max(0, limit - Self.reserve - ConnectionGate.turnedAwayAtOnce)
        // A quarter for databases, of the rest a tenth for files.
        self.environments = min(environments, max(2, free / 4 / Self.perEnvironment))
        let left = max(0, free - self.environments * Self.perEnvironment)
        files = max(2, left / 10 / Self.perFile)
        self.connections = min(connections, max(2, left - files * Self.perFile))
    }
}
