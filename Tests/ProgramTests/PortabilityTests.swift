import Foundation
import Testing

/// What is read rather than run: `make lint` runs the same.
@Suite(.timeLimit(.minutes(5)))
struct PortabilityTests {
    @Test("Linux-only calls are confined to CLinux and #if, and lists of files and licences are complete")
    func lint() async throws {
        let outcome = try await Program().bash(
            "cd '\(DocumentPage.root.path())'\nScripts/lint-portability.sh\nScripts/list-public.sh --check\n"
                + "Scripts/third-party.py check")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "A Linux-only call is found, except within #if",
        arguments: [
            ("let x = open(\"/proc/self/fd\", 0)", 1), ("import Glibc", 1), ("socket(AF_UNIX, SOCK_DGRAM, 0)", 1),
            ("open(path, O_RDONLY | O_DIRECTORY)", 0), ("// as epoll does", 0),
            ("#if os(Linux)\n    import Glibc\n#endif", 0), ("#if os(Linux)\n#endif\nfdatasync(1)", 1),
        ])
    func words(source: String, status: Int32) async throws {
        let program = try Program()
        let outcome = try await program.bash(
            """
            cd "$TMPDIR"
            git init -q .
            mkdir -p Scripts Sources/x
            cp '\(DocumentPage.root.path())Scripts/lint-portability.sh' Scripts/
            cat >Sources/x/x.swift <<'END'
            \(source)
            END
            git add .
            Scripts/lint-portability.sh
            """)
        #expect(outcome.status == status, "\(outcome)")
    }
}
