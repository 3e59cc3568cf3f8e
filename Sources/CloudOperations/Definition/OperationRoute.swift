package import CloudAccounts

/// The route, rights, parameters and description of an operation in the admin API.
package struct OperationRoute: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// The data that an operation works on.
    package enum Reach: Sendable {
        /// The accounts' database, which several processes share.
        case accounts
        /// The records of an environment. A single process at a time has an environment open.
        case environment
        /// The records of all environments.
        case allEnvironments
    }

    /// The handling of arguments that the operation does not take.
    package enum UnknownArguments: Sendable {
        /// They are refused, with the names of the known arguments.
        case refused
        /// Any query is refused.
        case queryRefused
        case ignored
    }

    /// Path parameters of operations inside an environment.
    package static let environment = "{container}/{environment}/"

    private let line: RouteLine
    package let text: OperationText
    package let parameters: [Parameter]
    package let audit: AuditRule

    init(line: RouteLine, text: OperationText, parameters: [Parameter], audit: AuditRule) {
        self.line = line
        self.text = text
        self.parameters = parameters
        self.audit = audit
    }

    package var method: Method { line.method }
    /// The path below `/admin/1/`, with `{name}` for parameters.
    package var path: String { line.path }
    /// The scopes required from the caller.
    package var scopes: [ManagementScope] { line.scopes }
    package var reach: Reach { line.reach }
    package var unknownArguments: UnknownArguments { line.unknownArguments }

    /// Names of the parameters in the path, in order.
    package var pathNames: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Names of the parameters outside the path.
    package var takes: [String] { parameters.map(\.name).filter { !pathNames.contains($0) } }

    /// Whether the operation makes changes, which viewers may not.
    package var isChange: Bool { if case .change = audit { true } else { false } }

    /// Whether the operation makes a change with these arguments: it is a change, and they ask for no dry run.
    package func makesChange(_ arguments: Arguments) -> Bool { isChange && !isDryRun(arguments) }

    /// Whether the operation has dry runs and the arguments ask for a dry run.
    package func isDryRun(_ arguments: Arguments) -> Bool {
        takes.contains(Arguments.dryRun) && (try? arguments.isDryRun()) == true
    }

    /// The parameter that is the whole body; nil for operations with JSON bodies or without.
    package var textBody: Parameter? { parameters.first { $0.location == .body } }

    /// The part of a request that carries a parameter outside the path.
    package func location(of parameter: Parameter) -> Parameter.Location {
        guard parameter.location == .usual else { return parameter.location }
        return [.post, .put].contains(method) && textBody == nil ? .usual : .query
    }
}

/// The method, path and rights of an operation.
package struct RouteLine: Sendable {
    fileprivate let method: OperationRoute.Method
    fileprivate let path: String
    fileprivate let scopes: [ManagementScope]
    fileprivate let reach: OperationRoute.Reach
    fileprivate var unknownArguments = OperationRoute.UnknownArguments.refused

    private init(
        _ method: OperationRoute.Method, _ path: String, _ scopes: [ManagementScope], _ reach: OperationRoute.Reach
    ) {
        self.method = method
        self.path = reach == .environment ? OperationRoute.environment + path : path
        self.scopes = scopes
        self.reach = reach
    }

    /// - Parameters:
    ///   - path: below `/admin/1/`; inside an environment, below its container and environment.
    ///   - scopes: all required from the caller.
    static func get(
        _ path: String, _ scopes: ManagementScope..., inside reach: OperationRoute.Reach = .accounts
    ) -> RouteLine {
        RouteLine(.get, path, scopes, reach)
    }

    /// - Parameters: as of `get`.
    static func post(
        _ path: String, _ scopes: ManagementScope..., inside reach: OperationRoute.Reach = .accounts
    ) -> RouteLine {
        RouteLine(.post, path, scopes, reach)
    }

    /// - Parameters: as of `get`.
    static func put(
        _ path: String, _ scopes: ManagementScope..., inside reach: OperationRoute.Reach = .accounts
    ) -> RouteLine {
        RouteLine(.put, path, scopes, reach)
    }

    /// - Parameters: as of `get`.
    static func delete(
        _ path: String, _ scopes: ManagementScope..., inside reach: OperationRoute.Reach = .accounts
    ) -> RouteLine {
        RouteLine(.delete, path, scopes, reach)
    }

    /// The same route with another handling of unknown arguments.
    func unknown(_ handling: OperationRoute.UnknownArguments) -> RouteLine {
        var line = self
        line.unknownArguments = handling
        return line
    }
}

/// An operation's ID and description, for documents.
package struct OperationText: Sendable {
    /// The `operationId` in openapi.yaml.
    package let id: String
    /// A sentence on the effect.
    package let summary: String
    /// Further sentences.
    package let details: String

    init(_ id: String, _ summary: String, _ details: String = "") {
        self.id = id
        self.summary = summary
        self.details = details
    }
}
