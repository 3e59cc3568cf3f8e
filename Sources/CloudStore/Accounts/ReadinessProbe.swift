import CloudSQL

/// The row that is written to see whether anything can be.
enum ReadinessProbe {
    static let table = """
        CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), probes INTEGER NOT NULL);
        INSERT INTO readiness VALUES (1, 0);
        """
}

extension AccountStore {
    /// Writes a row and has it on disk.
    func probeWrite() async throws {
        try await pool.write { try $0.run("UPDATE readiness SET probes = probes + 1") }
    }
}
