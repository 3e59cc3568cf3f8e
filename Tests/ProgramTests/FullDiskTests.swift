import CloudModel
import CloudServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A disk without room: a refusal that says so, and nothing lost that was promised. Stood in for by a limit on the
/// size of files, since a disk of its own takes more rights than tests have.
struct FullDiskTests {
    private let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test func anUploadIs507AndLeavesNothing() async throws {
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
        #expect(refused.body.isEmpty)
        #expect(try files() == before)

        // The link has not been used up, and what was there still is.
        #expect(try await server.post(largeLink, small).response.statusCode == 200)
        let download = try #require(URL(string: try await person.downloadLink("kept")))
        #expect(try await URLSession.shared.data(from: download).0 == small)
        #expect(await server.stop() == 0)
    }

    @Test func recordsAre503AndWhatWasPromisedIsThereAfterARestart() async throws {
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

/// Somebody signed in on a development server.
private struct DevelopmentPerson {
    private let server: RunningServer
    private let query: String

    init(_ server: RunningServer) async throws {
        self.server = server
        let body = #"{"container": "c", "environment": "development", "email": "mei@example.com"}"#
        let json = try JSONParser.parse(Array(try await server.post("/auth/dev/session", Data(body.utf8)).body))
        let token = try #require(json.object?["ckWebAuthToken"]?.string)
            .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        query = "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(token)"
    }

    func send(_ action: String, _ body: String) async throws -> (response: HTTPURLResponse, body: Data) {
        try await server.post("/database/1/c/development/private/\(action)?\(query)", Data(body.utf8))
    }

    /// The path of a link for one asset.
    func uploadLink() async throws -> String {
        let answer = try await send(
            "assets/upload", #"{"tokens": [{"recordType": "Note", "fieldName": "file"}]}"#)
        let token = try JSONParser.parse(Array(answer.body)).object?["tokens"]?.array?.first
        return try #require(URL(string: token?.object?["url"]?.string ?? "")).path()
    }

    func save(_ name: String, file: JSONValue) async throws {
        var writer = JSONWriter()
        writer.value(file)
        let answer = try await modify([
            Self.creating(name, #""file": {"value": \#(String(decoding: writer.bytes, as: UTF8.self))}"#)
        ])
        #expect(answer.response.statusCode == 200)
    }

    func create(_ names: [String], text: String) async throws -> (response: HTTPURLResponse, body: Data) {
        try await modify(names.map { Self.creating($0, #""text": {"value": "\#(text)"}"#) })
    }

    /// Those of the names that are there.
    func found(_ names: [String]) async throws -> [String] {
        var found: [String] = []
        for start in stride(from: 0, to: names.count, by: 200) {
            let asked = names[start..<min(start + 200, names.count)].map { #"{"recordName": "\#($0)"}"# }
            let answer = try await send(
                "records/lookup",
                #"{"records": [\#(asked.joined(separator: ","))], "desiredKeys": []}"#)
            let records = try JSONParser.parse(Array(answer.body)).object?["records"]?.array ?? []
            found += records.filter { $0.object?["serverErrorCode"] == nil }
                .compactMap { $0.object?["recordName"]?.string }
        }
        return found
    }

    func downloadLink(_ name: String) async throws -> String {
        let answer = try await send("records/lookup", #"{"records": [{"recordName": "\#(name)"}]}"#)
        let record = try JSONParser.parse(Array(answer.body)).object?["records"]?.array?.first
        let value = record?.object?["fields"]?.object?["file"]?.object?["value"]
        return try #require(value?.object?["downloadURL"]?.string).replacing("${f}", with: "file")
    }

    private func modify(_ operations: [String]) async throws -> (response: HTTPURLResponse, body: Data) {
        try await send("records/modify", #"{"operations": [\#(operations.joined(separator: ","))]}"#)
    }

    private static func creating(_ name: String, _ field: String) -> String {
        #"{"operationType": "create", "record": {"recordName": "\#(name)", "recordType": "Note", "fields": {\#(field)}}}"#
    }
}
