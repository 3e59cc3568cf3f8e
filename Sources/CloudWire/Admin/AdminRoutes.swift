package import CloudHTTP
import CloudModel
package import CloudOperations
import CloudStore

/// The routes under `/admin/1/` for operators and their programs: a route for each operation.
package enum AdminRoutes {
    package static let start = "/admin/1/"

    package typealias Endpoints = [HTTPRequest.Method: AnyAdminOperation]

    /// Operations by path pattern after `/admin/1/`.
    package static let table: [(pattern: String, endpoints: Endpoints)] = {
        var table: [String: Endpoints] = [:]
        for operation in OperationCatalogue.all {
            table[operation.route.path, default: [:]][HTTPRequest.Method(operation.route.method)] = operation
        }
        return table.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }()

    /// A matched route, with the values from the path.
    package struct Match {
        package let operation: AnyAdminOperation
        package let values: PathValues

        package init(operation: AnyAdminOperation, values: PathValues) {
            self.operation = operation
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
