import CloudSQL

/// A row that is updated to test whether the database accepts writes.
enum ReadinessProbe {
    static let table = """
        CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), probes INTEGER NOT NULL);
        INSERT INTO readiness VALUES (1, 0);
        """
}

extension AccountStore {
    /// Updates the probe's row; returns once the write is on disk.
    func probeWrite() async throws {
        try await database.pool.write { try $0.run("UPDATE readiness SET probes = probes + 1") }
    }
}
