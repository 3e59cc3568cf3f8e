package import CloudStore

/// An operator's action: its route under `/admin/1/`, required scopes, arguments, audit rule and implementation.
///
/// Commands, the admin API and the console all go through these operations.
package struct AdminOperation<Answer: Codable & Sendable>: Sendable {
    package let route: OperationRoute
    let perform: @Sendable (OperationCall) async throws -> Answer

    /// - Parameters:
    ///   - path: below `/admin/1/`, with `{name}` for the path's arguments.
    ///   - scopes: all required from the caller.
    ///   - takes: the names of the other arguments.
    init(
        _ method: OperationRoute.Method, _ path: String, _ scopes: ManagementScope..., takes: [String] = [],
        audit: AuditRule = .none, _ perform: @escaping @Sendable (OperationCall) async throws -> Answer
    ) {
        route = OperationRoute(method: method, path: path, scopes: scopes, takes: takes, audit: audit)
        self.perform = perform
    }
}

/// The route and required scopes of an operation in the admin API.
package struct OperationRoute: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    package let method: Method
    package let path: String
    package let scopes: [ManagementScope]
    /// Names of the arguments outside the path.
    package let takes: [String]
    package let audit: AuditRule

    /// Names of the arguments in the path, in order.
    package var parameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Whether the operation makes changes, which viewers may not.
    package var isChange: Bool { if case .change = audit { true } else { false } }

    /// Whether the operation works on an environment's records. A single process at a time has an environment open.
    package var isInsideEnvironment: Bool { path.hasPrefix("{container}/{environment}/") }

    /// Whether the operation works on the records of all environments.
    package var isInsideAllEnvironments: Bool { ["users/{email}/deletion", "users/{email}/storage"].contains(path) }
}

/// The audit entry of an operation.
package enum AuditRule: Sendable {
    /// No entry: the answer contains nothing private.
    case none
    /// An entry after the change.
    case change(String)
    /// An entry before the answer is shown.
    case look(String)
    /// An entry as for `look`, if the argument `user` shows that the data belongs to a person.
    case lookAtUser(String)
}

/// The input of an operation: the server's stores, the arguments and the operator.
struct OperationCall: Sendable {
    let workplace: Workplace
    let arguments: Arguments
    let identity: OperatorIdentity

    var accounts: AccountStore { workplace.accounts }
}
