import CloudModel

/// Runs operations, either on the stores directly or through the running server.
package protocol Operations: Sendable {
    /// - Throws: `BAD_REQUEST` for an invalid argument, `ACCESS_DENIED` for a missing scope or a container out of reach, and
    ///   the operation's own errors.
    func run<Input, Answer>(_ operation: AdminOperation<Input, Answer>, _ arguments: Arguments) async throws -> Answer
}

extension Operations {
    /// Runs an operation with an input.
    package func run<Input, Answer>(_ operation: AdminOperation<Input, Answer>, _ input: Input) async throws -> Answer {
        try await run(operation, Input.fields.arguments(of: input))
    }

    /// Runs an operation with an input whose properties `fill` sets.
    package func run<Input, Answer>(
        _ operation: AdminOperation<Input, Answer>, _ fill: (inout InputDraft<Input>) throws -> Void
    ) async throws -> Answer {
        var draft = InputDraft<Input>()
        try fill(&draft)
        return try await run(operation, draft)
    }

    /// Runs an operation with the arguments of a draft.
    package func run<Input, Answer>(
        _ operation: AdminOperation<Input, Answer>, _ draft: InputDraft<Input>
    ) async throws -> Answer {
        try await run(operation, draft.arguments)
    }

    /// Fetches all items of a list, page by page.
    package func all<Input, Item>(
        _ operation: AdminOperation<Input, Page<Item>>, _ arguments: Arguments = [:]
    ) async throws -> [Item] {
        var arguments = arguments
        arguments["limit"] = .integer(Int64(PageChoice.largestLimit))
        var page = try await run(operation, arguments)
        var items = page.items
        while let next = page.next {
            arguments["after"] = .string(next)
            page = try await run(operation, arguments)
            items += page.items
        }
        return items
    }

    /// Fetches all items of a list, with an input whose properties `fill` sets.
    package func all<Input, Item>(
        _ operation: AdminOperation<Input, Page<Item>>, _ fill: (inout InputDraft<Input>) throws -> Void
    ) async throws -> [Item] {
        var draft = InputDraft<Input>()
        try fill(&draft)
        return try await all(operation, draft)
    }

    /// Fetches all items of a list, with the arguments of a draft.
    package func all<Input, Item>(
        _ operation: AdminOperation<Input, Page<Item>>, _ draft: InputDraft<Input>
    ) async throws -> [Item] {
        try await all(operation, draft.arguments)
    }
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

    package func run<Input, Answer>(
        _ operation: AdminOperation<Input, Answer>, _ arguments: Arguments
    ) async throws -> Answer {
        let route = operation.route
        try identity.require(route.scopes)
        if route.makesChange(arguments) { try identity.requireChange(route.scopes) }
        try identity.require(container: arguments["container"]?.string)
        try arguments.refuseUnknown(route)
        let input = try Input.fields.read(arguments)
        let call = OperationCall(workplace: workplace, arguments: arguments, identity: identity)
        switch route.audit {
        case .look(let action): try await call.noteLook(action)
        case .lookAtUser(let action): if arguments.has("user") { try await call.noteLook(action) }
        case .change, .own, .none: break
        }
        let answer = try await operation.perform(call, input)
        if case .change(let action) = route.audit, route.makesChange(arguments) {
            try await call.note(action, subject: answer.auditSubject)
        }
        return answer
    }

    /// Writes an audit entry about a look.
    ///
    /// - Parameter arguments: the requested object.
    package func noteLook(_ action: String, _ arguments: Arguments = [:]) async throws {
        try await OperationCall(workplace: workplace, arguments: arguments, identity: identity).noteLook(action)
    }
}
