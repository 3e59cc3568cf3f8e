import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

/// Devices that edit, delete and move at random, whose connections are cut and who are killed, as the server is, end up
/// with the same.
@Suite(.timeLimit(.minutes(60)))
struct ConvergenceTests {
    private static let variables = ProcessInfo.processInfo.environment
    private static let histories = variables["CUMULUS_HISTORIES"].flatMap(UInt64.init) ?? 20
    private static let firstSeed = variables["CUMULUS_FIRST_SEED"].flatMap(UInt64.init) ?? 1

    @Test("Two devices converge through cut connections and kills, and no edit is lost")
    func histories() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "histories-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await CrashingServer(in: folder)
        for seed in Self.firstSeed..<(Self.firstSeed + Self.histories) {
            do { try await History.play(seed: seed, on: server) } catch { Issue.record("Seed \(seed): \(error)") }
        }
        print("\(Self.histories) histories; the server was killed \(server.crashes) times")
    }
}
