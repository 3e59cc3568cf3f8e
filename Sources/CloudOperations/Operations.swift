package import CloudModel
package import CloudStore

/// Runs operations, either on the stores directly or through the running server.
package protocol Operations: Sendable {
    /// - Throws: `BAD_REQUEST` for an argument that does not fit, `ACCESS_DENIED` for a scope or container that the
    ///   operator does not have, and what the operation itself throws.
    func run<Answer>(_ operation: AdminOperation<Answer>, _ arguments: Arguments) async throws -> Answer
}

/// Runs operations on the stores, for one operator. Whatever way an operation comes, it passes here: its scope is asked
/// for, and its line is left in the audit log.
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

    /// The work on the schema and the roles of an environment, whose changes leave their lines in the audit log.
    ///
    /// - Throws: `ACCESS_DENIED` for another container than the operator's, `NOT_FOUND` for one that does not exist.
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

    /// Leaves the line of a change in the audit log.
    func note(_ action: String, _ arguments: Arguments) async throws {
        try await OperationCall(workplace: workplace, arguments: arguments, identity: identity).note(action)
    }

    /// Leaves the line of a look in the audit log.
    ///
    /// - Parameter arguments: what was asked for.
    package func noteLook(_ action: String, _ arguments: Arguments = [:]) async throws {
        let call = OperationCall(workplace: workplace, arguments: arguments, identity: identity)
        try await workplace.accounts.noteLook(call.auditNote(action))
    }
}

extension OperationCall {
    /// Leaves the line of a change in the audit log.
    ///
    /// - Parameter subject: what was changed; nil for what the arguments name.
    func note(_ action: String, subject: String? = nil) async throws {
        var note = auditNote(action)
        if let subject { note.subject = subject }
        try await accounts.note(note)
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
    /// Runs it and gives the JSON text of its answer.
    package let run: @Sendable (any Operations, Arguments) async throws -> [UInt8]

    init<Answer>(_ operation: AdminOperation<Answer>) {
        route = operation.route
        run = { try OperationJSON.encode(try await $0.run(operation, $1)) }
    }
}
