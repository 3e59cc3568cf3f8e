import CloudModel
import Foundation
import Testing

/// A machine without libpq, or with an old one: the loader finds a file of this test first.
@Suite(.timeLimit(.minutes(10)))
struct MissingLibraryTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    private var environment: [String: String] {
        [
            "LD_LIBRARY_PATH": cumulus.folder.path(),
            "CUMULUS_DATABASE_URL": "postgres://ann:secret@127.0.0.1:9/cumulus",
        ]
    }

    @Test("A server on PostgreSQL without libpq says which package to install, and shows no password")
    func missing() async throws {
        _ = try cumulus.file("libpq.so.5", "")
        for command in [["serve", "--port", "0"], ["container", "list"]] {
            let outcome = try await cumulus.run(command, environment: environment)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("the package libpq5"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("secret"))
        }
        let settings = try await cumulus("settings", environment: environment)
        #expect(settings.status == 0 && !settings.output.contains("secret"), "\(settings.errors)")
    }

    @Test("A libpq that lacks a function is refused as too old")
    func old() async throws {
        let made = try await cumulus.bash("gcc -shared -x c /dev/null -o $TMPDIR/libpq.so.5")
        #expect(made.status == 0, "\(made.errors)")
        let outcome = try await cumulus("serve", "--port", "0", environment: environment)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("older than PostgreSQL 14"), "\(outcome.errors)")
    }

    @Test("A server on SQLite needs no libpq") func sqlite() async throws {
        _ = try cumulus.file("libpq.so.5", "")
        let server = try await RunningServer(cumulus, environment: ["LD_LIBRARY_PATH": cumulus.folder.path()])
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
    }
}
