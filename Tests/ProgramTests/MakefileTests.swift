import Foundation
import Testing

/// `make help`.
@Suite(.timeLimit(.minutes(5)))
struct MakefileTests {
    @Test("Each slow make target states its duration, in at most 100 columns")
    func times() async throws {
        let outcome = try await Program().bash("cd '\(DocumentPage.root.path())' && make")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 100 }, "\(outcome.output)")
        for target in [
            "build", "run", "test", "bench", "crash", "converge", "demo", "lint", "release", "release-check", "image",
            "deb", "deb-check",
        ] {
            let line = lines.first { $0.hasPrefix("make \(target) ") }
            #expect(line?.contains(/\((?:an?|under an?|\d+)\b.*\b(?:second|minute|hour)s?\b.*\)$/) == true, "\(target)")
        }
    }
}
