import CloudAccounts
package import CloudHTTP
import CloudModel
import NIOCore
package import Testing

/// A program of an operator's, with a management token.
package struct Operator: Sendable {
    package let server: TestServer
    package var container = "iCloud.com.example.test"
    /// Nil for one without.
    package var token: String?

    package init(server: TestServer, container: String = "iCloud.com.example.test", token: String? = nil) {
        self.server = server
        self.container = container
        self.token = token
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, in environment: String = "development", body: String? = nil,
        accept: String? = nil, ifMatch: String? = nil, headers: HTTPFields = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if let accept { headers[.accept] = accept }
        if let ifMatch { headers[.condition.match] = ifMatch }
        return try await server.send(
            method, "/admin/1/\(container)/\(environment)/\(path)", headers: headers,
            body: body.map { ByteBuffer(string: $0) }, sourceLocation: sourceLocation)
    }

    /// Imports a schema with these types besides the built-in ones.
    @discardableResult
    package func importing(_ types: String, dryRun: Bool = false, accept: String? = nil) async throws -> Answer {
        try await send(
            .put, "schema" + (dryRun ? "?dryRun=true" : ""), body: "DEFINE SCHEMA\n\(types)", accept: accept)
    }
}

extension TestServer {
    /// An operator of this container, which is there.
    package func makeOperator(_ container: String = "iCloud.com.example.test") async throws -> Operator {
        _ = try await accounts.containers.ensure(name: container)
        let (text, _) = try await accounts.managementTokens.create(container: container, name: "test")
        return Operator(server: self, container: container, token: text)
    }
}
