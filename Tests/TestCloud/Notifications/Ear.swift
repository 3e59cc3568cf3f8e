import CloudHTTP
package import CloudModel
import NIOCore
package import Testing

/// A client that holds a push token and listens.
package struct Ear: Sendable {
    package let server: TestServer
    package let token: String
    package let url: String

    package init(_ server: TestServer, _ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        self.server = server
        token = try #require(answer["apnsToken"]?.string, "\(answer.text)", sourceLocation: sourceLocation)
        url = try #require(answer["webcourierURL"]?.string, sourceLocation: sourceLocation)
    }

    /// The path and query of the courier's URL.
    package var target: String { "/" + url.split(separator: "/", maxSplits: 2)[2] }

    package func poll(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        try await server.send(.get, target, sourceLocation: sourceLocation)
    }

    /// The subject of the next notification: the subscription, and the record where it names one. Empty for none.
    package func news(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let answer = try await poll(sourceLocation: sourceLocation)
        #expect(answer.status == 200, sourceLocation: sourceLocation)
        return answer.news
    }
}

extension Answer {
    /// The subject of a notification: the subscription, and the record where it names one.
    package var news: String { json.news }
}

extension JSONValue {
    package var news: String {
        let part = ["qry", "fet", "met"].lazy.compactMap { self[path: "ck.\($0)"] }.first
        let names = [part?[path: "sid"]?.string, part?[path: "rid"]?.string].compactMap(\.self)
        return names.joined(separator: " ")
    }
}

extension App {
    /// - Parameter path: what stands before `tokens/`, in one of the spellings.
    package func tokens(
        _ endpoint: String, _ body: String, under path: String = "device", database: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let query = target("").drop { $0 != "?" }
        return try await server.send(
            .post, "/\(path)/1/\(container)/\(environment)\(database)/tokens/\(endpoint)\(query)",
            headers: [.contentType: "text/plain"], body: ByteBuffer(string: body), sourceLocation: sourceLocation)
    }

    /// Creates a push token.
    package func ear(_ client: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Ear {
        let client = client.map { #", "clientId": "\#($0)""# } ?? ""
        let answer = try await tokens(
            "create", #"{"apnsEnvironment": "development"\#(client)}"#, sourceLocation: sourceLocation)
        return try Ear(server, answer, sourceLocation: sourceLocation)
    }

    /// Makes a subscription to notes that come or change, under this id.
    package func watchNotes(
        _ id: String = "notes", in database: String = "private", saving name: String = "n0",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await save(in: database, name)
        let answer = try await post(
            "\(database)/subscriptions/modify",
            """
            {"operations": [{"operationType": "create", "subscription": {"subscriptionType": "query",
                "subscriptionID": "\(id)", "firesOn": ["create", "update", "delete"], "query": {"recordType": "Note"}}}]}
            """, sourceLocation: sourceLocation)
        #expect(
            answer["subscriptions.0.subscriptionID"]?.string == id, "\(answer.text)", sourceLocation: sourceLocation)
    }

    /// Writes a note as this client.
    package func write(_ name: String, as client: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let answer = try await post(
            "private/records/modify", #"{"operations": [\#(Operation.write("forceUpdate", name))]}"#,
            query: "clientId=\(client)", sourceLocation: sourceLocation)
        #expect(answer["records.0.recordName"]?.string == name, sourceLocation: sourceLocation)
    }
}
