import CloudModel
import CloudOperations
import NIOCore
import NIOHTTP1

/// Operations through a server's admin API.
struct RemoteOperations: Operations {
    let client: ManagementClient

    func run<Answer>(_ operation: AdminOperation<Answer>, _ arguments: Arguments) async throws -> Answer {
        let route = operation.route
        var path = route.path
        for name in route.parameters {
            path = path.replacing("{\(name)}", with: ManagementClient.encoded(arguments[name].map(Self.text) ?? ""))
        }
        let rest = arguments.names.subtracting(route.parameters).sorted()
        let method = HTTPMethod(rawValue: route.method.rawValue)
        guard route.method == .post || route.method == .put else {
            let query = rest.map { "\($0)=\(ManagementClient.encoded(arguments[$0].map(Self.text) ?? ""))" }
            let answer = try await client.ask(method, path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
            return try decoded(answer)
        }
        var writer = JSONWriter()
        writer.value(.object(JSONObject(rest.map { .init(key: $0, value: arguments[$0] ?? .null) })))
        return try decoded(try await client.ask(method, path, body: String(decoding: writer.bytes, as: UTF8.self)))
    }

    private func decoded<Answer: Codable>(_ answer: ManagementClient.Answer) throws -> Answer {
        try client.understood(try? OperationJSON.decode(Answer.self, Array(answer.body.readableBytesView)))
    }

    /// The value as text for a path or query.
    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .number, .array, .object, .null: ""
        }
    }
}
