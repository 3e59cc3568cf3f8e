import CloudAccounts
import CloudEngine
import CloudModel
import Foundation
import TestStore
import Testing

@testable import CloudTransfer

/// Exports that cannot be taken in say where and why, and leave nothing behind.
struct BrokenExportTests {
    let fixture: MovingFixture
    let target: Container

    /// A whole export, made once for all.
    private static let whole = Task {
        let fixture = try MovingFixture()
        let source = try await fixture.accounts.containers.create(name: "source")
        try await fixture.with(source, .production) { try await MovingWorld.fill($0) }
        try await fixture.export(source, to: "one")
        return (fixture: fixture, source: source)
    }

    init() async throws {
        fixture = try MovingFixture()
        target = try await fixture.accounts.containers.create(name: "target")
        let whole = try await Self.whole.value.fixture.folder("one").path
        try FileManager.default.copyItem(atPath: whole, toPath: fixture.folder("one").path)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let file: String
        let old: String
        let new: String
        let reason: String
        /// True if `old` is a regular expression; `$1` in `new` is what its parentheses match.
        var isPattern = false
        var testDescription: String { "\(file): \(reason)" }
    }

    static let damages = [
        Damage(file: "manifest.json", old: #""format":2"#, new: #""format":3"#, reason: "has format 3"),
        Damage(file: "manifest.json", old: #""done":true"#, new: #""don":true"#, reason: "'done' is missing"),
        Damage(file: "manifest.json", old: "{", new: "", reason: "manifest.json is damaged"),
        Damage(file: "manifest.json", old: #""zones":5"#, new: #""zones":6"#, reason: "6 zones, and 5 came"),
        Damage(file: "manifest.json", old: #""users":0"#, new: #""users":1"#, reason: "1 users, and 0 came"),
        Damage(
            file: "manifest.json", old: #""position":\d+"#, new: #""position":9223372036854775807"#,
            reason: "'position' is 9223372036854775807, and must be from 0 to", isPattern: true),
        Damage(
            file: "manifest.json", old: #""lastRole":0"#, new: #""lastRole":9007199254740993"#,
            reason: "'lastRole' is 9007199254740993"),
        Damage(
            file: "manifest.json", old: #""roles":[]"#,
            new: #""roles":[{"number":1,"name":"a"},{"number":1,"name":"b"}]"#, reason: "two of one number or name"),
        Damage(
            file: "manifest.json", old: #""records":\d+"#, new: #""records":999999999999"#,
            reason: "records-00002.jsonl cannot be read", isPattern: true),
        Damage(file: "schema.ckdb", old: "RECORD TYPE", new: "RECORD TAPE", reason: "schema.ckdb, line"),
        Damage(
            file: "schema.ckdb", old: "secretBytes", new: "secretBites", reason: "'secretBytes' of 'Note' is not in"),
        Damage(
            file: "zones.jsonl", old: #""zoneName":"Notes""#, new: #""zoneName":"_Notes""#,
            reason: "zoneName '_Notes' is reserved"),
        Damage(
            file: "zones.jsonl", old: #"{"zoneID""#, new: #"{"colour":"red","zoneID""#,
            reason: "line 1: 'colour' is unknown here"),
        Damage(
            file: "zones.jsonl", old: #""position":\d+"#, new: #""position":0"#,
            reason: "is before that of a change in it", isPattern: true),
        Damage(
            file: "zones.jsonl", old: "Café au lait", new: "Tea",
            reason: "zone 'Café au lait' of '_alice' is not among the zones"),
        Damage(
            file: "zones.jsonl", old: #","position":\d+"#, new: "", reason: "'position' is missing", isPattern: true),
        Damage(
            file: "records-00001.jsonl", old: #""recordName":"first""#, new: #""recordName":"second""#,
            reason: "a row like it exists already"),
        Damage(file: "records-00001.jsonl", old: #""value":3,"#, new: #""value":"three","#, reason: "Field 'count'"),
        Damage(
            file: "records-00001.jsonl", old: #""recordType":"Note""#, new: #""recordType":"Nota""#, reason: "'Nota'"),
        Damage(
            file: "records-00001.jsonl", old: #""timestamp":17"#, new: #""timestamp":x"#,
            reason: "line 1: not valid JSON"),
        Damage(file: "records-00001.jsonl", old: #"Café au lait"#, new: "Tea", reason: "is not among the zones"),
        Damage(
            file: "records-00001.jsonl", old: #""recordChangeTag":""#, new: #""recordChangeTag":"zzz"#,
            reason: "after the last one"),
        Damage(
            file: "records-00001.jsonl", old: #""recordChangeTag":"\w+""#, new: #""recordChangeTag":"1""#,
            reason: "recordChangeTag '1' is not that of its position and epoch", isPattern: true),
        Damage(
            file: "records-00001.jsonl", old: #""recordChangeTag":"\w+""#, new: #""recordChangeTag":"+""#,
            reason: "'+' is not a recordChangeTag", isPattern: true),
        Damage(
            file: "manifest.json", old: #""epochs":\[(\{[^}]+\})"#, new: #""epochs":[$1,$1"#,
            reason: "'epochs' has two of one 'id'", isPattern: true),
        Damage(
            file: "manifest.json", old: #""first":1,"#, new: #""first":1000000,"#, reason: "'first' is 1000000"),
        Damage(
            file: "records-00001.jsonl", old: #""recordChangeTag":"(0\w{5})\w+""#, new: #""recordChangeTag":"$11""#,
            reason: "has the recordChangeTag of another in the same zone", isPattern: true),
        Damage(
            file: "records-00001.jsonl", old: #""sharePosition":\d+"#, new: #""sharePosition":1"#,
            reason: "has the sharePosition of another in the same share", isPattern: true),
        Damage(
            file: "records-00001.jsonl", old: #""share":{"recordName":""#, new: #""share":{"recordName":"no-"#,
            reason: "says it is shared, and no share has it as its root"),
        Damage(
            file: "records-00001.jsonl", old: #""size":9"#, new: #""size":8"#,
            reason: "has size 8, and 9 among the assets"),
        Damage(file: "records-00001.jsonl", old: #""share":2,"#, new: #""share":77,"#, reason: "not among the shares"),
        Damage(
            file: "shares.jsonl", old: #""rootRecordName":"tree""#, new: #""rootRecordName":"bush""#, reason: "'bush'"),
        Damage(file: "shares.jsonl", old: #""participants":["#, new: #""people":["#, reason: "'state'"),
        Damage(file: "subscriptions.jsonl", old: #""query""#, new: #""quest""#, reason: "subscriptions.jsonl, line"),
        Damage(file: "key-values.jsonl", old: #""type":"STRING""#, new: #""type":"TEXT""#, reason: "line 1"),
        Damage(file: "assets.jsonl", old: #""size":9"#, new: #""size":8"#, reason: "has 9 bytes, and should have 8"),
    ]

    @Test("A damaged line is refused by file and line, and imported once repaired", arguments: damages)
    func damagedLine(_ damage: Damage) async throws {
        try await repaired(damage.file) { text in
            if !damage.isPattern { try #require(text.contains(damage.old), "\(text)") }
            return damage.isPattern
                ? text.replacing(try Regex(damage.old)) { match in
                    let group = match.output.count > 1 ? match.output[1].substring ?? "" : ""
                    return damage.new.replacing("$1", with: group)
                }
                : text.replacing(damage.old, with: damage.new)
        } reason: {
            damage.reason
        }
    }

    @Test(
        "An export with missing lines is refused by their number",
        arguments: ["zones", "assets", "records-00001", "shares", "subscriptions", "key-values"])
    func missingLines(_ file: String) async throws {
        try await repaired(file + ".jsonl") { text in
            let lines = text.split(separator: "\n")
            try #require(lines.count > 1)
            return lines.dropLast().joined(separator: "\n") + "\n"
        } reason: {
            " came"
        }
    }

    /// Breaks a file, imports, and imports again with the file as it was.
    private func repaired(
        _ file: String, breaking edit: (String) throws -> String, reason: () -> String
    ) async throws {
        let whole = try #require(FileManager.default.contents(atPath: fixture.folder("one").path(file)))
        try fixture.change(file, of: "one", edit: edit)
        let fault = try await fault()
        #expect(fault.description.contains(reason()), "\(fault)")
        #expect(
            !FileManager.default.fileExists(
                atPath: fixture.data.recordsFile(container: target.id, environment: .production)))
        try whole.write(to: URL(filePath: fixture.folder("one").path(file)))
        try await fixture.take("one", into: target)
        try await fixture.export(target, to: "two")
        try fixture.expectSame("one", "two")
        #expect(try fixture.leftovers() == [])
    }

    /// It would be answered with a byte in it that no JSON has.
    @Test("A share record without its line in shares.jsonl is refused") func shareRecord() async throws {
        try fixture.change("shares.jsonl", of: "one") { text in
            text.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
        }
        try fixture.change(ExportFolder.manifest, of: "one", #""shares":3"#, to: #""shares":2"#)
        #expect(try await fault().description.contains("is of type cloudkit.share and not among the shares"))
    }

    @Test("An asset whose bytes differ from its checksum is refused") func assetChecksum() async throws {
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

    @Test(
        "A missing file of an export is named",
        arguments: ["zones.jsonl", "records-00001.jsonl", "schema.ckdb", "manifest.json", "users.jsonl"])
    func missingFile(_ file: String) async throws {
        try FileManager.default.removeItem(atPath: fixture.folder("one").path(file))
        #expect(try await fault().description.contains(file))
    }

    @Test("A file that ends in the middle of a line is refused") func cutFile() async throws {
        let path = fixture.folder("one").path("records-00001.jsonl")
        let data = try #require(FileManager.default.contents(atPath: path))
        try data.dropLast(20).write(to: URL(filePath: path))
        #expect(try await fault().description.contains("the file ends in the middle of the line"))
    }

    @Test("An import into an environment with data is refused") func dataInTarget() async throws {
        try await fixture.with(target, .production) { (store) async throws in
            try await store.makeZone()
            try await store.subscribe("all", databaseSubscription)
        }
        #expect(
            try await fault().description.contains(
                "production of target is not empty, it has 1 zones, 1 subscriptions; import"))
        try await fixture.with(target, .development) { _ in }
        try await fixture.take("one", into: target, .development)
        // The same once more finds it done.
        await #expect(throws: TransferFault.self) { try await fixture.take("one", into: target, .development) }
    }

    @Test("An export into a folder with other files is refused") func otherFiles() async throws {
        let (whole, source) = try await Self.whole.value
        // Other tests copy the first, and must find no lock in it.
        try FileManager.default.copyItem(atPath: whole.folder("one").path, toPath: whole.folder("own").path)
        let other = whole.folder("other")
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: other.path("mine.txt")))
        await #expect(throws: TransferFault.self) { try await whole.export(source, to: "other") }
        await #expect(throws: TransferFault.self) { try await whole.export(source, .development, to: "own") }
        await #expect(throws: TransferFault.self) { try await fixture.export(target, to: "new") }
        let again = await #expect(throws: TransferFault.self) { try await whole.export(source, to: "own") }
        #expect(again?.description.contains("is a complete export of production of source already") == true)
        #expect(!whole.folder("own").has(ExportFolder.lock))
    }

    /// Looking at an environment makes default zones in it, and nothing else.
    @Test("An environment with empty default zones accepts an import") func defaultZones() async throws {
        try await fixture.with(target, .production) { (store) async throws in
            for zone in [ZoneID.home, .world] {
                _ = try await store.modify([operation(.create, "r", type: "Users")], zone: zone)
                _ = try await store.modify([operation(.forceDelete, "r")], zone: zone)
            }
        }
        try await fixture.take("one", into: target)
        #expect(try await fixture.with(target, .production) { try await $0.exists("first") })
    }

    private func fault() async throws -> TransferFault {
        try #require(await #expect(throws: TransferFault.self) { try await fixture.take("one", into: target) })
    }
}
