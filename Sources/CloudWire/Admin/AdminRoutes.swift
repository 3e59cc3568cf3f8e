package import CloudHTTP
import CloudModel
import CloudOperations
package import CloudStore

/// The routes under `/admin/1/` for operators and their programs: one for each operation, plus the schema, roles and a
/// person's export.
package enum AdminRoutes {
    package static let start = "/admin/1/"
    package static let environment = "{container}/{environment}/"

    /// An endpoint and its required scopes.
    package struct Row: Sendable {
        package let scopes: [ManagementScope]
        package let endpoint: AdminEndpoint

        package init(scopes: [ManagementScope], endpoint: @escaping AdminEndpoint) {
            self.scopes = scopes
            self.endpoint = endpoint
        }
    }

    package typealias Endpoints = [HTTPRequest.Method: Row]

    /// Endpoints by path pattern after `/admin/1/`.
    package static let table: [(pattern: String, endpoints: Endpoints)] = {
        var table: [String: Endpoints] = [:]
        for (pattern, endpoints) in own { table[environment + pattern] = endpoints }
        let export = StoreOperations.exportRoute
        table[export.path] = [.get: Row(scopes: export.scopes, endpoint: exportPerson)]
        for operation in OperationCatalogue.all {
            let route = operation.route
            table[route.path, default: [:]][HTTPRequest.Method(route.method)] = Row(scopes: route.scopes) { call in
                Response.json(try await operation.run(call.operations, call.arguments(for: route)))
            }
        }
        return table.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }()

    /// The schema has endpoints of its own, because it travels as text with a tag; roles share its administration.
    private static let own: [(pattern: String, endpoints: Endpoints)] = [
        ("schema", [.get: schema(SchemaEndpoints.export), .put: schema(SchemaEndpoints.importText)]),
        ("schema/deploy", [.post: schema(SchemaEndpoints.deploy)]),
        ("schema/reset", [.post: schema(SchemaEndpoints.reset)]),
        ("schema/builds", [.get: schema(SchemaEndpoints.builds)]),
        ("roles", [.get: people(RoleEndpoints.list)]),
        (
            "roles/{role}/{user}",
            [
                .put: Row(scopes: AuditedAdministration.grantScopes, endpoint: RoleEndpoints.grant),
                .delete: people(RoleEndpoints.revoke),
            ]
        ),
    ]

    private static let exportPerson: AdminEndpoint = { call in
        guard call.query.names.isEmpty else { throw ServerError.badRequest("this route takes no parameters") }
        return try call.downloads.response(try await call.operations.exportOfPerson(call.parameters[0]))
    }

    private static func schema(_ endpoint: @escaping AdminEndpoint) -> Row {
        Row(scopes: [.schema], endpoint: endpoint)
    }

    private static func people(_ endpoint: @escaping AdminEndpoint) -> Row {
        Row(scopes: [.people], endpoint: endpoint)
    }

    /// A matched route, with the values from the path.
    package struct Match: Sendable {
        /// The path's pattern after `/admin/1/`.
        package let pattern: String
        package let endpoint: Row
        package let values: PathValues

        package init(pattern: String, endpoint: Row, values: PathValues) {
            self.pattern = pattern
            self.endpoint = endpoint
            self.values = values
        }
    }
}

extension HTTPRequest.Method {
    fileprivate init(_ method: OperationRoute.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .delete: .delete
            }
    }
}
