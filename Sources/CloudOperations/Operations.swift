package import CloudModel
import CloudStore

/// Runs operations, either on the stores directly or through the running server.
package protocol Operations: Sendable {
    /// - Throws: `BAD_REQUEST` for an invalid argument, `ACCESS_DENIED` for a missing scope or a container out of reach, and
    ///   the operation's own errors.
    func run<Answer>(_ operation: AdminOperation<Answer>, _ arguments: Arguments) async throws -> Answer
}

/// Runs operations on the stores, for an operator. Every operation passes here, by whatever interface: this type checks scopes
/// and writes audit entries.
package struct StoreOperations: Operations {
    package let workplace: Workplace
    package let identity: OperatorIdentity

    package init(workplace: Workplace, identity: OperatorIdentity) {
        self.workplace = workplace
        self.identity = identity
    }

    package func run<Answer>(_ operation: AdminOperation<Answer>, _ arguments: Arguments) async throws -> Answer {
        let route = operation.route
        try identity.require(route.scopes)
        if route.isChange { try identity.requireChange(route.scopes) }
        try identity.require(container: arguments["container"]?.string)
        try arguments.refuseUnknown(route)
        let call = OperationCall(workplace: workplace, arguments: arguments, identity: identity)
        switch route.audit {
        case .look(let action): try await noteLook(action, arguments)
        case .lookAtUser(let action): if arguments.has("user") { try await noteLook(action, arguments) }
        case .change, .none: break
        }
        let answer = try await operation.perform(call)
        if case .change(let action) = route.audit { try await call.note(action) }
        return answer
    }

    /// Administers the schema and roles of an environment; changes get audit entries.
    ///
    /// - Throws: `ACCESS_DENIED` for a container out of the operator's reach, `NOT_FOUND` for an unknown container.
    package func administration(
        container name: String, environment: ContainerEnvironment
    ) async throws -> any Administration {
        try identity.require(container: name)
        guard let stores = workplace.stores else {
            throw ServerError(.internalError, "a schema was worked on beside its server", .server(.fault))
        }
        let accounts = workplace.accounts
        guard let container = try await accounts.reader().container(named: name) else {
            throw ServerError(.notFound, "container '\(Naming.shown(name))' does not exist", .missing(.container))
        }
        return AuditedAdministration(
            StoreAdministration(
                container: container, environment: environment, accounts: accounts, stores: stores,
                limits: workplace.limits, permit: { [identity] in try identity.require(toMake: $0) }),
            accounts: accounts, identity: identity, container: name, environment: environment)
    }

    /// Writes an audit entry about a change.
    func note(_ action: String, _ arguments: Arguments) async throws {
        try await OperationCall(workplace: workplace, arguments: arguments, identity: identity).note(action)
    }

    /// Writes an audit entry about a look.
    ///
    /// - Parameter arguments: the requested object.
    package func noteLook(_ action: String, _ arguments: Arguments = [:]) async throws {
        let call = OperationCall(workplace: workplace, arguments: arguments, identity: identity)
        try await workplace.accounts.audit.noteLook(call.auditNote(action))
    }
}

extension OperationCall {
    /// Writes an audit entry about a change.
    ///
    /// - Parameter subject: the changed object; nil takes the subject from the arguments.
    func note(_ action: String, subject: String? = nil) async throws {
        var note = auditNote(action)
        if let subject { note.subject = subject }
        try await accounts.audit.note(note)
    }

    fileprivate func auditNote(_ action: String) -> AuditNote {
        AuditNote(
            who: identity.name, action: action, container: arguments["container"]?.string,
            environment: try? arguments.environment(),
            person: arguments["user"]?.string ?? arguments["email"]?.string ?? arguments["person"]?.string,
            subject: arguments.subject)
    }
}

/// An operation with its JSON answer type erased, for the catalogue.
package struct AnyAdminOperation: Sendable {
    package let route: OperationRoute
    /// Runs the operation and encodes its answer as JSON.
    package let run: @Sendable (any Operations, Arguments) async throws -> [UInt8]

    init<Answer>(_ operation: AdminOperation<Answer>) {
        route = operation.route
        run = { try OperationJSON.encode(try await $0.run(operation, $1)) }
    }
}
