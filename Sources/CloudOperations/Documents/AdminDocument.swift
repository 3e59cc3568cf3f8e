import CloudAccounts
import CloudModel
import CloudStore

/// The admin API's part of openapi.yaml, made from the catalogue and the routes of requests.
package struct AdminDocument {
    /// The lines below `paths`.
    package let paths: [String]
    /// The lines of the answers' schemas below `components/schemas`.
    package let schemas: [String]

    package init() throws {
        var answers = AnswerSchema()
        var paths: [DocumentNode.Member] = []
        let routes = OperationCatalogue.all.map { DescribedRoute($0.route, $0.answer) }
        let operations = Dictionary(
            grouping: routes + [RequestRoutes.list, RequestRoutes.show], by: \.route.path)
        for (path, operations) in operations.sorted(by: { $0.key < $1.key }) {
            paths.append(
                .init(key: "/admin/1/" + path, value: try Self.path(operations, answers: &answers)))
        }
        self.paths = paths.flatMap { DocumentNode.object([$0]).lines(indent: 2) + [""] }
        schemas = answers.components.sorted { $0.key < $1.key }.flatMap {
            DocumentNode.object([.init(key: $0.key, value: $0.value)]).lines(indent: 4)
        }
    }

    private static func path(_ operations: [DescribedRoute], answers: inout AnswerSchema) throws -> DocumentNode {
        let route = operations[0].route
        let parameters = route.pathNames.compactMap { name in route.parameters.first { $0.name == name } }
        var members: [DocumentNode.Member] = []
        if !parameters.isEmpty {
            members.append(.init(key: "parameters", value: .list(parameters.map { inPath($0, of: route) })))
        }
        for method in [OperationRoute.Method.get, .post, .put, .delete] {
            guard let operation = operations.first(where: { $0.route.method == method }) else { continue }
            members.append(
                .init(key: method.rawValue.lowercased(), value: try self.operation(operation, answers: &answers)))
        }
        return .object(members)
    }

    private static func inPath(_ parameter: Parameter, of route: OperationRoute) -> DocumentNode {
        if ["container", "environment"].contains(parameter.name), route.reach == .environment {
            return .reference("parameters/\(parameter.name)")
        }
        return .members([
            "name": .text(parameter.name), "in": .text("path"), "required": .flag(true),
            "description": .text(parameter.about), "schema": parameter.schema,
        ])
    }

    private static func operation(
        _ operation: DescribedRoute, answers: inout AnswerSchema
    ) throws -> DocumentNode {
        let route = operation.route
        let scopes = route.scopes.map(\.rawValue).joined(separator: ", ")
        let details = ["Scope\(route.scopes.count > 1 ? "s" : ""): \(scopes).", route.text.details]
        let others = route.parameters.filter { route.takes.contains($0.name) }
        let outside = others.filter { ![.usual, .body].contains(route.location(of: $0)) }
        return .members([
            "tags": .texts(["admin"]), "operationId": .text(route.text.id), "summary": .text(route.text.summary),
            "description": .text(details.filter { !$0.isEmpty }.joined(separator: " ")),
            "security": .list([.members(["managementToken": .list([])])]),
            "parameters": outside.isEmpty ? nil : .list(outside.map { inRequest($0, route.location(of: $0)) }),
            "requestBody": body(of: route, others.filter { route.location(of: $0) == .usual }),
            "responses": try responses(to: operation, answers: &answers),
        ])
    }

    private static func inRequest(_ parameter: Parameter, _ location: Parameter.Location) -> DocumentNode {
        var (name, place) = (parameter.name, "query")
        if case .header(let header) = location { (name, place) = (header, "header") }
        return .members([
            "name": .text(name), "in": .text(place), "required": parameter.isRequired ? .flag(true) : nil,
            "description": .text(parameter.about), "schema": parameter.schema,
        ])
    }

    private static func body(of route: OperationRoute, _ members: [Parameter]) -> DocumentNode? {
        if let text = route.textBody {
            return .members([
                "required": .flag(true), "description": .text("The request's body is \(text.about) in UTF-8."),
                "content": .members(["text/plain": .members(["schema": .members(["type": .text("string")])])]),
            ])
        }
        guard !members.isEmpty else { return nil }
        let required = members.filter(\.isRequired).map(\.name)
        let properties = members.map {
            DocumentNode.Member(key: $0.name, value: $0.schema.with("description", .text($0.about)))
        }
        let schema = DocumentNode.members([
            "type": .text("object"), "required": required.isEmpty ? nil : .texts(required),
            "properties": .object(properties),
        ])
        return .members([
            "required": required.isEmpty ? nil : .flag(true),
            "content": .members(["application/json": .members(["schema": schema])]),
        ])
    }

    /// Refusals of operations, by status.
    private static let refusals = [
        ("400", "BadRequest"), ("401", "AuthenticationFailed"), ("403", "AccessDenied"), ("404", "NotFound"),
        ("409", "Conflict"), ("413", "TooLarge"), ("429", "Throttled"), ("500", "InternalError"),
        ("503", "TryAgainLater"),
    ]

    private static func responses(
        to operation: DescribedRoute, answers: inout AnswerSchema
    ) throws -> DocumentNode {
        func described(_ type: String, _ schema: DocumentNode) -> DocumentNode.Member {
            .init(key: type, value: .members(["schema": schema]))
        }
        let text = DocumentNode.members(["type": .text("string")])
        let isText = operation.answer.content != .json
        var content: [DocumentNode.Member] = []
        switch operation.answer.content {
        case .zip: content.append(described("application/zip", text))
        case .text, .textOrJSON: content.append(described("text/plain", text))
        case .json: break
        }
        if let type = operation.answer as? any Decodable.Type {
            content.append(described("application/json", try answers.schema(of: type)))
        }
        let about = (operation.answer as? any DocumentedValue.Type)?.about.sentence ?? ""
        let tagged = DocumentNode.members([
            "X-Apple-Request-UUID": .reference("headers/RequestUUID"), "ETag": .reference("headers/SchemaTag"),
        ])
        let headers: DocumentNode? =
            operation.answer.content == .zip ? nil : isText ? tagged : .alias("failure")
        let answer = DocumentNode.members([
            "description": .text(about.isEmpty ? "The answer." : about), "headers": headers,
            "content": .object(content),
        ])
        let possible = refusals.filter { !operation.neverRefuses.contains($0.0) }
        let refused = possible.map { status, name in
            let isSchemaChange = status == "400" && operation.answer.content == .textOrJSON
            return DocumentNode.Member(
                key: status, value: .reference("responses/\(isSchemaChange ? "SchemaRefused" : name)"))
        }
        return .object([.init(key: "200", value: answer)] + refused)
    }
}

extension Parameter {
    /// The JSON Schema of the value, with its default.
    fileprivate var schema: DocumentNode {
        switch standard {
        case .integer(let number): kind.schema.with("default", .number(number))
        case .string(let text): kind.schema.with("default", .text(text))
        case .bool(let flag): kind.schema.with("default", .flag(flag))
        default: kind.schema
        }
    }
}

extension Parameter.Kind {
    /// The JSON Schema of the values.
    fileprivate var schema: DocumentNode {
        switch self {
        case .text(let limit):
            .members(["type": .text("string"), "maxLength": limit > 0 ? .number(Int64(limit)) : nil])
        case .choice(let choices): .members(["type": .text("string"), "enum": .texts(choices)])
        case .flag: .members(["type": .text("boolean")])
        case .number(let range):
            .members([
                "type": .text("integer"), "minimum": .number(range.lowerBound),
                "maximum": range.upperBound == .max ? nil : .number(range.upperBound),
            ])
        case .list(let element, let most):
            .members(["type": .text("array"), "items": element.schema, "maxItems": .number(Int64(most))])
        case .object: .members(["type": .text("object")])
        case .objects: .members(["type": .text("array"), "items": .members(["type": .text("object")])])
        }
    }
}
