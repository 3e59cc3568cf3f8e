import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

/// Two devices that edit, delete and move at random, whose connections are cut and who are killed, end up with the same.
@Suite(.cumulus, .timeLimit(.minutes(60)))
struct ConvergenceTests {
    private static let variables = ProcessInfo.processInfo.environment
    private static let histories = variables["CUMULUS_HISTORIES"].flatMap(UInt64.init) ?? 20
    private static let firstSeed = variables["CUMULUS_FIRST_SEED"].flatMap(UInt64.init) ?? 1

    @Test("Two devices converge through cut connections and kills, and no edit is lost")
    func histories() async throws {
        for seed in Self.firstSeed..<(Self.firstSeed + Self.histories) {
            do { try await History.play(seed: seed) } catch { Issue.record("Seed \(seed): \(error)") }
        }
    }
}
