import Disk
import Foundation
import Testing

/// The program over a folder whose disk can lose its power.
final class CutProgram {
    let program: Program
    let folder: CutFolder
    private var random = SystemRandomNumberGenerator()

    init() throws {
        program = try Program()
        folder = try CutFolder(in: program.folder.path())
    }

    func serve() async throws -> RunningServer {
        try await RunningServer(program, "--dev", environment: environment())
    }

    /// Runs one command to its end, which must be good.
    func callAsFunction(_ arguments: String...) async throws {
        let outcome = try await program.run(arguments, environment: environment())
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }

    /// The program must have ended.
    func cut(_ kind: PowerCut) throws { try folder.cut(kind, using: &random) }

    private func environment() throws -> [String: String] {
        try folder.environment().merging(["CUMULUS_DATA": folder.path + "/data"]) { $1 }
    }
}
