import CloudModel
import Testing

/// How many statements a request costs once the store is warm.
struct StatementCountTests {
    private func warm() async throws -> (TemporaryStore, TracedWriter) {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let writer = try TracedWriter(temporary.path)
        let fields = #"{"a":{"value":"x"},"b":{"value":1}}"#
        for number in 0..<2 {
            _ = try await writer.statements(of: [operation(.create, "warm\(number)", fields: fields)], zone: .notes)
        }
        _ = try await writer.statements(of: [operation(.forceUpdate, "warm1", fields: fields)], zone: .notes)
        return (temporary, writer)
    }

    /// One look for the name, one row in each of the two tables, its words at the end, and what every group writes once.
    @Test func aCreate() async throws {
        let (temporary, writer) = try await warm()
        let statements = try await writer.statements(
            of: [operation(.create, "new", fields: #"{"a":{"value":"y"}}"#)], zone: .notes)
        #expect(
            statements == [
                "BEGIN IMMEDIATE", "SAVEPOINT request", "SELECT id,", "INSERT INTO", "INSERT OR", "RELEASE request",
                "INSERT INTO", "UPDATE store", "UPDATE zones", "INSERT INTO", "COMMIT",
            ])
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    /// The stored body is read too, since fields that are not named keep their values. Old words go before new ones come.
    @Test func anUpdate() async throws {
        let (temporary, writer) = try await warm()
        let statements = try await writer.statements(
            of: [operation(.forceUpdate, "warm0", fields: #"{"a":{"value":"y"}}"#)], zone: .notes)
        #expect(
            statements == [
                "BEGIN IMMEDIATE", "SAVEPOINT request", "SELECT id,", "SELECT body", "UPDATE records", "INSERT OR",
                "RELEASE request", "INSERT INTO", "INSERT INTO", "UPDATE store", "UPDATE zones", "INSERT INTO",
                "COMMIT",
            ])
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    @Test func aBatchCostsFourForEachRecord() async throws {
        let (temporary, writer) = try await warm()
        let statements = try await writer.statements(
            of: (0..<50).map { operation(.create, "n\($0)", fields: #"{"a":{"value":"y"}}"#) }, zone: .notes)
        #expect(statements.count == 7 + 50 * 4)
        try writer.close()
        withExtendedLifetime(temporary) {}
    }
}
