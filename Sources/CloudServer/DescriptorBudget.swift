import CloudHTTP

/// Divides the process's file descriptors, so that they never run out: some libraries abort the process when they
/// cannot open one.
struct DescriptorBudget: Hashable, Sendable {
    /// Maximum of open environments.
    let environments: Int
    /// Maximum of served connections.
    let connections: Int
    /// Maximum of open asset files.
    let files: Int

    /// Descriptors for accounts, event loops, mail programs, previews, webhooks, remote asset stores and system libraries.
    private static let reserve = 128
    /// Database and WAL files of a writer and four readers, and their shared memory file.
    private static let perEnvironment = 11
    /// Two descriptors: for reading, and for `sendfile`.
    private static let perFile = 2

    /// - Parameters:
    ///   - limit: the process's descriptor limit.
    ///   - connections: the wanted maximum.
    ///   - environments: the wanted maximum.
    init(limit: Int, connections: Int, environments: Int) {
        let free = max(0, limit - Self.reserve - ConnectionGate.turnedAwayAtOnce)
        // Databases get a quarter, files a tenth of the remainder.
        self.environments = min(environments, max(2, free / 4 / Self.perEnvironment))
        let left = max(0, free - self.environments * Self.perEnvironment)
        files = max(2, left / 10 / Self.perFile)
        self.connections = min(connections, max(2, left - files * Self.perFile))
    }
}
