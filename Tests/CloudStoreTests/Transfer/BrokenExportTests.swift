import CloudModel
import Foundation
import Testing

@testable import CloudStore

/// Exports that cannot be taken in say where and why, and leave nothing behind.
struct BrokenExportTests {
    let fixture: MovingFixture
    let target: Container

    /// A whole export, made once for all.
    private static let whole = Task {
        let fixture = try MovingFixture()
        let source = try await fixture.accounts.createContainer(name: "source")
        try await fixture.with(source, .production) { try await MovingWorld.fill($0) }
        try await fixture.export(source, to: "one")
        return (fixture: fixture, source: source)
    }

    init() async throws {
        fixture = try MovingFixture()
        target = try await fixture.accounts.createContainer(name: "target")
        let whole = try await Self.whole.value.fixture.folder("one").path
        try FileManager.default.copyItem(atPath: whole, toPath: fixture.folder("one").path)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let file: String
        let old: String
        let new: String
        let reason: String
        var testDescription: String { "\(file): \(reason)" }
    }

    static let damages = [
        Damage(file: "manifest.json", old: #""format":1"#, new: #""format":2"#, reason: "has format 2"),
        Damage(file: "manifest.json", old: #""done":true"#, new: #""don":true"#, reason: "'done' is missing"),
        Damage(file: "manifest.json", old: "{", new: "", reason: "manifest.json is damaged"),
        Damage(file: "manifest.json", old: #""zones":5"#, new: #""zones":6"#, reason: "6 zones, and 5 came"),
        Damage(file: "schema.ckdb", old: "RECORD TYPE", new: "RECORD TAPE", reason: "schema.ckdb, line"),
        Damage(
            file: "schema.ckdb", old: "secretBytes", new: "secretBites", reason: "'secretBytes' of 'Note' is not in"),
        Damage(
            file: "zones.jsonl", old: #""zoneName":"Notes""#, new: #""zoneName":"_Notes""#,
            reason: "zoneName '_Notes' is reserved"),
        Damage(file: "zones.jsonl", old: #""position":"#, new: #""pos":"#, reason: "'position' is missing"),
        Damage(
            file: "records-00001.jsonl", old: #""recordName":"first""#, new: #""recordName":"second""#,
            reason: "there is one like it already"),
        Damage(file: "records-00001.jsonl", old: #""value":3,"#, new: #""value":"three","#, reason: "Field 'count'"),
        Damage(
            file: "records-00001.jsonl", old: #""recordType":"Note""#, new: #""recordType":"Nota""#, reason: "'Nota'"),
        Damage(file: "records-00001.jsonl", old: #""timestamp":17"#, new: #""timestamp":x"#, reason: "line 1: no JSON"),
        Damage(file: "records-00001.jsonl", old: #"Café au lait"#, new: "Tea", reason: "is not among the zones"),
        Damage(
            file: "records-00001.jsonl", old: #""recordChangeTag":""#, new: #""recordChangeTag":"zzz"#,
            reason: "after the last one"),
        Damage(file: "records-00001.jsonl", old: #""share":2,"#, new: #""share":77,"#, reason: "not among the shares"),
        Damage(
            file: "shares.jsonl", old: #""rootRecordName":"tree""#, new: #""rootRecordName":"bush""#, reason: "'bush'"),
        Damage(file: "shares.jsonl", old: #""participants":["#, new: #""people":["#, reason: "'state'"),
        Damage(file: "subscriptions.jsonl", old: #""query""#, new: #""quest""#, reason: "subscriptions.jsonl, line"),
        Damage(file: "key-values.jsonl", old: #""type":"STRING""#, new: #""type":"TEXT""#, reason: "line 1"),
        Damage(file: "assets.jsonl", old: #""size":9"#, new: #""size":8"#, reason: "has 9 bytes, and should have 8"),
    ]

    @Test(arguments: damages) func damageIsRefusedByPlace(_ damage: Damage) async throws {
        try fixture.change(damage.file, of: "one", damage.old, to: damage.new)
        let fault = try await fault()
        #expect(fault.description.contains(damage.reason), "\(fault)")
        #expect(
            !FileManager.default.fileExists(
                atPath: fixture.data.recordsFile(container: target.id, environment: .production)))
    }

    @Test func aRepairedExportIsGoneOnWith() async throws {
        let whole = try fixture.files("one")["key-values.jsonl"]
        try fixture.change("key-values.jsonl", of: "one", "STRING", to: "TEXT")
        _ = try await fault()
        try whole?.write(to: URL(filePath: fixture.folder("one").path("key-values.jsonl")))
        try await fixture.take("one", into: target)
        let texts = try await fixture.with(target, .production) { try await $0.texts() }
        #expect(texts == ["b": "2", "c": "3"])
    }

    @Test func assetsAreHeldToTheirChecksums() async throws {
        let assets = fixture.folder("one").path(ExportFolder.assets)
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: assets).first {
                FileManager.default.contents(atPath: "\(assets)/\($0)")?.count == 9
            })
        try Data("b picture".utf8).write(to: URL(filePath: "\(assets)/\(name)"))
        #expect(try await fault().description.contains("is damaged: its checksum is"))
        try FileManager.default.removeItem(atPath: "\(assets)/\(name)")
        #expect(try await fault().description.contains("\(name) is not there"))
    }

    @Test(arguments: ["zones.jsonl", "records-00001.jsonl", "schema.ckdb", "manifest.json", "users.jsonl"])
    func whatIsMissingIsNamed(_ file: String) async throws {
        try FileManager.default.removeItem(atPath: fixture.folder("one").path(file))
        #expect(try await fault().description.contains(file))
    }

    @Test func aFileThatEndsEarlyIsNoticed() async throws {
        let path = fixture.folder("one").path("records-00001.jsonl")
        let data = try #require(FileManager.default.contents(atPath: path))
        try data.dropLast(20).write(to: URL(filePath: path))
        #expect(try await fault().description.contains("the file ends in the middle of the line"))
    }

    @Test func onlyAnEmptyEnvironmentTakesAnImport() async throws {
        try await fixture.with(target, .production) { try await $0.makeZone() }
        #expect(try await fault().description.contains("production of target is not empty, it has 1 zones"))
        try await fixture.with(target, .development) { _ in }
        try await fixture.take("one", into: target, .development)
        // The same once more finds it done.
        await #expect(throws: TransferFault.self) { try await fixture.take("one", into: target, .development) }
    }

    @Test func exportsDoNotMixWithOtherThings() async throws {
        let (whole, source) = try await Self.whole.value
        let other = whole.folder("other")
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: other.path("mine.txt")))
        await #expect(throws: TransferFault.self) { try await whole.export(source, to: "other") }
        await #expect(throws: TransferFault.self) { try await whole.export(source, .development, to: "one") }
        await #expect(throws: TransferFault.self) { try await fixture.export(target, to: "new") }
        try await whole.export(source, to: "one")
    }

    private func fault() async throws -> TransferFault {
        try #require(await #expect(throws: TransferFault.self) { try await fixture.take("one", into: target) })
    }
}
