import CloudModel
import CloudServer
import Disk
import Foundation
import TestWire
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A disk without room: a refusal that says so, and nothing lost that was promised. Stood in for by a limit on the
/// size of files, since a disk of its own takes more rights than tests have.
@Suite(.timeLimit(.minutes(20)))
struct FullDiskTests {
    private let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test("An upload to a full disk is answered 507 and leaves nothing") func upload() async throws {
        let server = try await RunningServer(cumulus, "--dev", largestFile: 8 << 20)
        let person = try await DevelopmentPerson(server)
        let small = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let link = try await person.uploadLink()
        let kept = try await server.post(link, small)
        #expect(kept.response.statusCode == 200)
        let file = try #require(try JSONParser.parse(Array(kept.body)).object?["singleFile"])
        try await person.save("kept", file: file)

        let before = try files()
        let largeLink = try await person.uploadLink()
        let refused = try await server.post(largeLink, Data(count: 9 << 20))
        #expect(refused.response.statusCode == 507)
        #expect(refused.response.value(forHTTPHeaderField: "Retry-After") == "60")
        let reason = try JSONParser.parse(Array(refused.body)).object?["reason"]
        #expect(reason == .string("the disk is full"))
        #expect(try files() == before)

        // The link has not been used up, and what was there still is.
        #expect(try await server.post(largeLink, small).response.statusCode == 200)
        let download = try #require(URL(string: try await person.downloadLink("kept")))
        #expect(try await URLSession.shared.data(from: download).0 == small)
        #expect(await server.stop() == 0)
    }

    @Test("A save on a full disk is answered 503, and earlier saves survive a restart")
    func saves() async throws {
        let full = try await RunningServer(cumulus, "--dev", largestFile: 2 << 20)
        let person = try await DevelopmentPerson(full)
        let text = String(repeating: "a", count: 10_000)
        var promised: [String] = []
        var refusal: (response: HTTPURLResponse, body: Data)?
        for batch in 0..<100 where refusal == nil {
            let names = (0..<20).map { "\(batch)-\($0)" }
            let answer = try await person.create(names, text: text)
            if answer.response.statusCode == 200 { promised += names } else { refusal = answer }
        }
        let answer = try #require(refusal, "nothing was refused")
        #expect(answer.response.statusCode == 503)
        let json = try JSONParser.parse(Array(answer.body))
        #expect(json.object?["serverErrorCode"]?.string == "TRY_AGAIN_LATER")
        #expect(json.object?["retryAfter"] != nil)
        // Reading goes on.
        #expect(try await person.found(promised) == promised)
        #expect(await full.stop() == 0)

        let roomy = try await RunningServer(cumulus, "--dev")
        let same = try await DevelopmentPerson(roomy)
        #expect(try await same.found(promised) == promised)
        #expect(try await same.create(["later"], text: text).response.statusCode == 200)
        #expect(await roomy.stop() == 0)
    }

    /// On a full disk a delivery cannot be noted. The message is not sent again and again for that.
    @Test("An event stream on a full disk sends each message once") func eventStream() async throws {
        let server = try await RunningServer(cumulus, "--dev", largestFile: 1 << 40)
        let person = try await DevelopmentPerson(server)
        try await person.subscribe()
        let path = try await person.courierPath().replacing("/aps?", with: "/events?")
        #expect(try await person.create(["one"], text: "x").response.statusCode == 200)
        try await server.limitFiles(to: 1)
        let wire = try Wire(port: try #require(URL(string: server.origin)?.port))
        try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await wire.readHead().hasPrefix("HTTP/1.1 200"))
        _ = try await wire.read(until: "retry: 1000\n\n")
        #expect(try await wire.read(until: "\n\n").contains(#""rid":"one""#))
        for _ in 0..<2 { #expect(try await wire.read(until: "\n\n").hasSuffix(":")) }

        try await server.limitFiles(to: 1 << 40)
        #expect(try await person.create(["two"], text: "x").response.statusCode == 200)
        var event = ":"
        while event.hasSuffix(":") { event = try await wire.read(until: "\n\n") }
        #expect(event.contains(#""rid":"two""#), "\(event)")
        #expect(await server.stop() == 0)
    }

    @Test("An export or a clone onto a full disk ends with a sentence, and continues once there is room")
    func transfers() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(
            try await person.create((0..<100).map { "n\($0)" }, text: String(repeating: "a", count: 2_000))
                .response.statusCode == 200)
        let answer = try await server.post(try await person.uploadLink(), Data(count: 100_000))
        try await person.save(
            "kept", file: try #require(try JSONParser.parse(Array(answer.body)).object?["singleFile"]))
        #expect(await server.stop() == 0)

        let out = cumulus.folder.appending(path: "out").path()
        try await expectSentences(fullAt: out, ["export", "c", "--environment", "development", "--to", out])
        let moved = try await cumulus("import", out, "--container", "d", "--environment", "production")
        #expect(moved.status == 0, "\(moved.errors)")
        try await expectSentences(fullAt: cumulus.data + "/containers", ["clone", "d", "--yes"])
        let check = cumulus.folder.appending(path: "check").path()
        let exported = try await cumulus("export", "d", "--environment", "development", "--to", check)
        #expect(exported.output.contains("101 records") || exported.output.contains("102 records"), "\(exported)")
    }

    /// Runs a command with more and more room on the disk until it is enough.
    private func expectSentences(fullAt folder: String, _ arguments: [String]) async throws {
        var room = 1_000
        var refusals = 0
        while room < 1 << 30 {
            let outcome = try await cumulus.run(
                arguments, environment: try JournalLibrary.fullDisk(at: folder, after: room))
            if outcome.status == 0 { break }
            refusals += 1
            #expect(outcome.status == 1, "\(arguments) with \(room) bytes: \(outcome)")
            let says = ["there is no room left on the disk", "the disk is full"]
            #expect(says.contains { outcome.errors.contains($0) }, "\(room) bytes: \(outcome.errors)")
            #expect(outcome.errors.contains("run the command again"), "\(room) bytes: \(outcome.errors)")
            room = room * 3 / 2
        }
        #expect(refusals > 5)
    }

    /// The files of assets, those on their way among them.
    private func files() throws -> Set<String> {
        let folder = URL(filePath: cumulus.data).appending(path: "containers")
        let all = FileManager.default.enumerator(atPath: folder.path())?.allObjects as? [String] ?? []
        return Set(
            all.filter { name in
                var isFolder: ObjCBool = false
                let path = folder.appending(path: name).path()
                return name.contains("-assets/") && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }
}
