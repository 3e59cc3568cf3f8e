import CloudWire
import CloudModel
import CloudServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Somebody signed in on a development server.
struct DevelopmentPerson {
    private let server: RunningServer
    private let query: String

    init(_ server: RunningServer, email: String = "mei@example.com") async throws {
        self.server = server
        let body = #"{"container": "c", "environment": "development", "email": "\#(email)"}"#
        let json = try JSONParser.parse(Array(try await server.post("/auth/dev/session", Data(body.utf8)).body))
        let token = try #require(json.object?["ckWebAuthToken"]?.string)
            .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        query = "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(token)"
    }

    private init(_ server: RunningServer, query: String) { (self.server, self.query) = (server, query) }

    /// The same session, through another server.
    func at(_ server: RunningServer) -> DevelopmentPerson { DevelopmentPerson(server, query: query) }

    func send(_ action: String, _ body: String) async throws -> (response: HTTPURLResponse, body: Data) {
        try await post("/database/1/c/development/private/\(action)", body)
    }

    /// Posts to any path.
    func post(_ path: String, _ body: String) async throws -> (response: HTTPURLResponse, body: Data) {
        try await server.post("\(path)?\(query)", Data(body.utf8))
    }

    func userRecordName() async throws -> String {
        let answer = try await server.get("/database/1/c/development/public/users/caller?\(query)")
        return try #require(try JSONParser.parse(Array(answer.body)).object?["userRecordName"]?.string)
    }

    /// Subscribes to notes that come.
    func subscribe() async throws {
        _ = try await create(["first"], text: "x")
        let answer = try await send(
            "subscriptions/modify",
            #"""
            {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "s",
                "subscriptionType": "query", "query": {"recordType": "Note"}, "firesOn": ["create"]}}]}
            """#)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""subscriptionID":"s""#))
    }

    /// Makes a push token.
    ///
    /// - Parameter client: the name that the client gives itself.
    /// - Returns: the path that its messages are asked for at.
    func courierPath(client: String? = nil) async throws -> String {
        let name = client.map { #", "clientId": "\#($0)""# } ?? ""
        let answer = try await post(
            "/device/1/c/development/tokens/create", #"{"apnsEnvironment": "development"\#(name)}"#)
        let url = try #require(try JSONParser.parse(Array(answer.body)).object?["webcourierURL"]?.string)
        return String(url[try #require(url.firstRange(of: "/aps")).lowerBound...])
    }

    /// The path of a link for one asset.
    func uploadLink() async throws -> String {
        let answer = try await send(
            "assets/upload", #"{"tokens": [{"recordType": "Note", "fieldName": "file"}]}"#)
        let token = try JSONParser.parse(Array(answer.body)).object?["tokens"]?.array?.first
        return try #require(URL(string: token?.object?["url"]?.string ?? "")).path()
    }

    func save(_ name: String, file: JSONValue) async throws {
        #expect(try await trySaving(name, file: file))
    }

    /// - Returns: whether it was acknowledged.
    func trySaving(_ name: String, file: JSONValue) async throws -> Bool {
        var writer = JSONWriter()
        writer.value(file)
        let answer = try await modify([
            Self.creating(name, #""file": {"value": \#(String(decoding: writer.bytes, as: UTF8.self))}"#)
        ])
        return answer.response.statusCode == 200
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
