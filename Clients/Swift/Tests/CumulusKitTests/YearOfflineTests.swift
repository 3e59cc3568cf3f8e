import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

/// Moves the clock, so it has a server of its own.
@Suite(.timeLimit(.minutes(2)))
struct YearOfflineTests {
    private static let identifier = "iCloud.com.example.year"

    private func database(_ server: CumulusServer, _ clientID: String) async throws -> CKDatabase {
        let container = CKContainer(
            CumulusConfiguration(
                identifier: Self.identifier, origin: server.origin, apiToken: CumulusServer.apiToken, clientID: clientID
            ))
        try await container.signInForDevelopment(email: "mei@example.com")
        return container.privateCloudDatabase
    }

    @Test("A device that was offline for a year sends what it has and takes in what came since")
    func year() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "year-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try await CumulusServer()
        let emulator = CumulusEmulator(origin: server.origin, identifier: Self.identifier)
        let phone = try Device("phone", folder, try await database(server, "phone"))
        var tablet = try Device("tablet", folder, try await database(server, "tablet"))
        for name in ["a", "b", "c"] { _ = phone.edit(name) { $0.fields["both"] = 1 } }
        try await phone.sync()
        try await tablet.sync()
        _ = phone.edit("a") { $0.fields["phone"] = 2 }
        _ = phone.edit("new") { $0.fields["phone"] = 2 }
        for month in 1...12 {
            try await emulator.advanceClock(by: .seconds(365 * 86_400 / 12))
            tablet = try Device("tablet", folder, try await database(server, "tablet"))
            _ = tablet.edit("m\(month)") { $0.fields["tablet"] = month }
            _ = tablet.edit("a") { $0.fields["tablet"] = month }
            try await tablet.sync()
        }
        _ = tablet.delete("b")
        try await tablet.sync()
        // The session has ended, and what was edited waits.
        await #expect(throws: CKError.self) { try await phone.engine.fetchChanges() }
        let again = try Device("phone", folder, try await database(server, "phone"))
        try await again.sync()
        try await tablet.sync()
        #expect(again.items.keys.sorted() == (["a", "c", "new"] + (1...12).map { "m\($0)" }).sorted())
        #expect(again.items["a"]?.fields == ["both": 1, "phone": 2, "tablet": 12])
        #expect(tablet.items.mapValues(\.fields) == again.items.mapValues(\.fields))
        #expect(again.engine.state.pendingRecordZoneChanges.isEmpty)
    }
}
