package import CloudAccounts
package import CloudHTTP
import CloudModel
import Foundation
import NIOCore
import Testing

extension TestServer {
    /// A token with these scopes for all containers, of which there is one.
    package func managementToken(_ scopes: Set<ManagementScope> = Set(ManagementScope.allCases)) async throws -> String
    {
        _ = try await accounts.containers.ensure(name: "iCloud.com.example.test")
        return try await accounts.managementTokens.create(container: nil, name: "test", scopes: scopes).text
    }

    /// Calls a route under `/admin/1/`.
    package func manage(
        _ method: HTTPRequest.Method, _ path: String, token: String, body: String? = nil
    ) async throws -> Answer {
        try await send(
            method, "/admin/1/\(path)", headers: [.authorization: "Bearer \(token)"],
            body: body.map { ByteBuffer(string: $0) })
    }
}
