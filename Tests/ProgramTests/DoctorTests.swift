import CloudEngine
import CloudModel
import Foundation
import TestProcess
import Testing

/// `cumulus doctor`: what it finds wrong, and that it finds nothing wrong where nothing is.
@Suite(.timeLimit(.minutes(20)))
struct DoctorTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    /// Its levels by subject, and how it ended.
    private func findings(
        _ environment: [String: String] = [:]
    ) async throws -> (status: Int32, levels: [String: String], text: String) {
        let outcome = try await cumulus.run(["doctor", "--json"], environment: environment)
        let array = try #require(try outcome.json.array, "\(outcome)")
        let pairs = array.compactMap { finding -> (String, String)? in
            guard let subject = finding.object?["subject"]?.string, let level = finding.object?["level"]?.string
            else { return nil }
            return (subject, level)
        }
        #expect(pairs.count == array.count)
        return (outcome.status, Dictionary(pairs) { $0 == "ok" ? $1 : $0 }, outcome.output)
    }

    @Test("Doctor finds no failure with a sound server") func soundServer() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let found = try await findings()
        #expect(found.status == 0, "\(found.text)")
        for subject in ["settings", "modes", "owner", "clock", "integrity", "server"] {
            #expect(found.levels[subject] == "ok", "\(subject): \(found.text)")
        }
        // Landlock is missing on some kernels.
        #expect(["ok", "warn"].contains(found.levels["confinement"]), "\(found.text)")
        #expect(found.levels["previews"] == "ok", "\(found.text)")
        let text = try await cumulus("doctor").output
        #expect(text.contains("ok    integrity: ") && text.contains("warn  backups: none was ever made"), "\(text)")
        #expect(text.contains("\n      → set 'backup.to'") && text.contains("fail: 0"))
        #expect(await server.stop() == 0)
        #expect(try await findings().levels["server"] == "warn")
    }

    @Test("Doctor fails where passwords are off and nothing else lets people in") func noWayIn() async throws {
        _ = try await cumulus("user", "create", "mei@example.com")
        let off = ["CUMULUS_SIGN_IN_PASSWORDS": "off"]
        let found = try await findings(off)
        #expect(found.status == 1 && found.levels["signIn.passwords"] == "fail", "\(found.text)")
        #expect(try await findings().levels["signIn.passwords"] == nil)
        let set = try await cumulus.run(
            ["user", "set-password", "mei@example.com"], environment: off, input: "another long word\n")
        #expect(set.status != 0 && set.errors.contains("signIn.passwords"), "\(set)")
    }

    @Test("Doctor fails for a missing data folder") func missingFolder() async throws {
        let found = try await findings()
        #expect(found.status == 1 && found.levels["data"] == "fail")
        #expect(!FileManager.default.fileExists(atPath: cumulus.data))
    }

    @Test("Doctor names files that others can read and files from the future")
    func looseFiles() async throws {
        _ = try await cumulus("container", "create", "c")
        let file = cumulus.data + "/accounts.sqlite"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 3600)], ofItemAtPath: cumulus.data + "/containers")
        let found = try await findings()
        #expect(found.levels["modes"] == "warn" && found.text.contains(file))
        #expect(found.levels["clock"] == "fail" && found.status == 1)
    }

    @Test("Doctor fails for damaged and lost databases") func lostDatabases() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        _ = try await DevelopmentPerson(server).create(["one"], text: "x")
        #expect(await server.stop() == 0)
        let path = cumulus.data + "/containers/1-development.sqlite"
        let whole = try Data(contentsOf: URL(filePath: path))
        var damaged = whole
        // The second page; the first says what the file is.
        damaged.replaceSubrange(4096..<6000, with: Data(repeating: 0xA5, count: 6000 - 4096))
        try damaged.write(to: URL(filePath: path))
        let found = try await findings()
        #expect(found.status == 1 && found.levels["integrity"] == "fail", "\(found.text)")
        #expect(found.text.contains("development of c"))
        try FileManager.default.removeItem(atPath: path)
        let lost = try await findings()
        #expect(lost.status == 1 && lost.text.contains("has lost its database"), "\(lost.text)")
        try whole.write(to: URL(filePath: path))
        #expect(try await findings().levels["integrity"] == "ok")
    }

    @Test("Doctor names settings that contradict each other") func contradictions() async throws {
        _ = try await cumulus("container", "create", "c")
        let inside = try await findings(["CUMULUS_BACKUP_TO": cumulus.data + "/backups"])
        #expect(inside.status == 1 && inside.levels["backup.to"] == "fail")
        let open = try await findings(["CUMULUS_DEV": "true", "CUMULUS_PUBLIC_URL": "https://cloud.example.com"])
        #expect(open.status == 1 && open.levels["dev"] == "fail")
        let unknown = try await findings(["CUMULUS_COLOUR": "blue"])
        #expect(unknown.status == 1 && unknown.levels == ["settings": "fail"])
        #expect(unknown.text.contains("CUMULUS_COLOUR"))
    }

    @Test("Doctor finds a proxy's changes to requests", arguments: MeddlingProxy.Fault.allCases)
    func proxyChanges(fault: MeddlingProxy.Fault) async throws {
        let proxy = try await MeddlingProxy(in: cumulus.folder, fault)
        let settings = ["CUMULUS_PUBLIC_URL": proxy.origin, "CUMULUS_TRUST_FORWARDED_FOR": "true"]
        let server = try await RunningServer(cumulus, environment: settings)
        // What the server prints is its public URL.
        try proxy.lead(to: FileLock.note(at: cumulus.data + "/server.lock"))
        let found = try await findings(settings)
        let expected: [MeddlingProxy.Fault: [String: String]] = [
            .decodesPath: ["path": "fail"], .mergesSlashes: ["path": "fail"], .changesHost: ["host": "warn"],
            .passesClaimsOn: ["address": "fail"], .gathers: ["buffering": "warn"],
        ]
        if fault == .answersItself {
            #expect(found.levels["publicUrl"] == "fail" && found.levels["path"] == nil, "\(found.text)")
        } else {
            let levels = found.levels.filter { ["path", "host", "address", "buffering"].contains($0.key) }
            let sound = ["path": "ok", "host": "ok", "address": "ok", "buffering": "ok"]
            #expect(levels == sound.merging(expected[fault] ?? [:]) { $1 }, "\(found.text)")
        }
        #expect(found.status == (found.levels.values.contains("fail") ? 1 : 0))
        #expect(await server.stop() == 0)
    }

    @Test("Doctor fails for a public URL that nothing answers") func silentPublicURL() async throws {
        // The discard port, where nobody listens.
        let settings = ["CUMULUS_PUBLIC_URL": "http://127.0.0.1:9"]
        let server = try await RunningServer(cumulus, environment: settings)
        let found = try await findings(settings)
        #expect(found.status == 1 && found.levels["publicUrl"] == "fail", "\(found.text)")
        #expect(await server.stop() == 0)
    }

    @Test("The doctor's probe path answers 404 to others") func probe() async throws {
        let server = try await RunningServer(cumulus)
        #expect(try await server.status("/doctor/a%2Fb//c?d=e") == 404)
        #expect(await server.stop() == 0)
    }
}
