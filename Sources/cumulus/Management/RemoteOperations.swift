import CloudModel
import CloudOperations
import NIOCore
import NIOHTTP1

/// Operations through a server's admin API.
struct RemoteOperations: Operations {
    let client: ManagementClient

    func run<Input, Answer>(
        _ operation: AdminOperation<Input, Answer>, _ arguments: Arguments
    ) async throws -> Answer {
        let request = RemoteRequest(operation.route, arguments)
        let isText = Answer.content == .text
        let answer = try await client.ask(
            HTTPMethod(rawValue: operation.route.method.rawValue), request.path,
            accept: isText ? "text/plain" : "application/json", ifTag: request.tag, body: request.body,
            type: operation.route.textBody == nil ? "application/json" : "text/plain; charset=UTF-8")
        let body: AnswerOutput.Body =
            isText ? .text(String(buffer: answer.body)) : .json(Array(answer.body.readableBytesView))
        return try client.understood(try? Answer.received(AnswerOutput(body, tag: answer.tag)))
    }
}

/// The parts of the request that carries an operation's arguments.
private struct RemoteRequest {
    /// The path with its query, encoded.
    let path: String
    let body: String?
    /// The tag in `If-Match`.
    let tag: String?

    init(_ route: OperationRoute, _ arguments: Arguments) {
        var path = route.path
        for name in route.pathNames {
            path = path.replacing("{\(name)}", with: ManagementClient.encoded(arguments[name].map(Self.text) ?? ""))
        }
        let hasBody = [.post, .put].contains(route.method)
        var query: [String] = []
        var members: [JSONObject.Member] = []
        var (body, tag): (String?, String?)
        for name in arguments.names.subtracting(route.pathNames).sorted() {
            guard let value = arguments[name] else { continue }
            let parameter = route.parameters.first { $0.name == name }
            switch parameter.map(route.location(of:)) ?? (hasBody ? .usual : .query) {
            case .query: query.append("\(name)=\(ManagementClient.encoded(Self.text(value)))")
            case .usual: members.append(.init(key: name, value: value))
            case .body: body = value.string
            case .header: tag = value.string
            }
        }
        self.path = path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        self.tag = tag
        if hasBody, route.textBody == nil {
            var writer = JSONWriter()
            writer.value(.object(JSONObject(members)))
            body = String(decoding: writer.bytes, as: UTF8.self)
        }
        self.body = body
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
