import CloudHTTP
import CloudModel
import NIOCore
package import Testing

extension TestServer {
    /// The record of an answer.
    package func record(of answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        let name = try #require(HTTPField.Name("X-Apple-Request-UUID"))
        let uuid = try #require(answer.headers[name], sourceLocation: sourceLocation)
        let record = try await send(.get, "/admin/1/requests/\(uuid)", sourceLocation: sourceLocation)
        #expect(record.status == 200, sourceLocation: sourceLocation)
        return record
    }

    /// The answer of `/admin/1/requests` to an operator.
    package func requests(_ rest: String, _ program: Operator) async throws -> Answer {
        let headers: HTTPFields = program.token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        return try await send(.get, "/admin/1/requests\(rest)", headers: headers)
    }
}
