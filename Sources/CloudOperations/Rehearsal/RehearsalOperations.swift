package import CloudModel
package import CloudStore

/// Rehearses requests as another caller, without side effects.
package enum RehearsalOperations {
    /// Answers a query, a lookup or a save as for a user, a server-to-server key or an anonymous caller.
    ///
    /// The code of real requests runs; no change persists.
    package static let run = AdminOperation<RehearsalInfo>(
        .post, "{container}/{environment}/act-as", .recordsRead,
        takes: ["user", "key", "operator", "database", "operation", "body"], audit: .look("tried a request as somebody")
    ) { call in
        let arguments = call.arguments
        let (container, environment) = (try await call.container(), try arguments.environment())
        guard let rehearse = call.workplace.rehearse else {
            throw ServerError(
                .internalError, "a request was tried beside its server", .server(.fault))
        }
        let name = try arguments.optionalText("database") ?? DatabaseScope.public.rawValue
        guard let scope = DatabaseScope(rawValue: name) else {
            throw ServerError.badRequest(
                "database must be public, private or shared, not '\(Naming.shown(name))'")
        }
        let operation = try arguments.text("operation")
        guard let request = RehearsedRequest.Operation(rawValue: operation) else {
            let known = RehearsedRequest.Operation.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServerError.badRequest(
                "operation must be one of \(known: known), not '\(Naming.shown(operation))'")
        }
        guard let body = arguments["body"]?.object else { throw ServerError.badRequest("body must be an object") }
        let caller = try await caller(call, container, environment)
        guard caller != .operator || scope == .public else {
            throw ServerError.badRequest("an operator works in the public database alone; name the user of another")
        }
        return try await rehearse(
            RehearsedRequest(
                container: container, environment: environment, scope: scope, caller: caller, operation: request,
                body: body))
    }

    private static func caller(
        _ call: OperationCall, _ container: Container, _ environment: ContainerEnvironment
    ) async throws -> Caller {
        let arguments = call.arguments
        let (user, id) = (try arguments.optionalText("user"), try arguments.optionalText("key"))
        if try arguments.flag("operator") == true {
            guard user == nil, id == nil else { throw ServerError.badRequest("name one of user, key and operator") }
            return .operator
        }
        switch (user, id) {
        case (nil, nil): return .world
        case (let user?, nil): return .user(recordName: try await call.recordName(of: user, in: container))
        case (nil, let id?):
            guard let key = try await call.accounts.reader().serverKey(id), key.container == container.id,
                key.environment == environment
            else {
                throw ServerError(
                    .notFound, "there is no such server key in this environment; 'cumulus key list' shows them",
                    .missing(.key))
            }
            return .serverKey(recordName: key.userRecordName)
        case (_?, _?): throw ServerError.badRequest("name either user or key, not both")
        }
    }
}

/// A request to rehearse.
package struct RehearsedRequest: Sendable {
    package enum Operation: String, CaseIterable, Sendable {
        case modify = "records/modify"
        case query = "records/query"
        case lookup = "records/lookup"
    }

    package let container: Container
    package let environment: ContainerEnvironment
    package let scope: DatabaseScope
    package let caller: Caller
    package let operation: Operation
    package let body: JSONObject
}

/// The rehearsed answer and the decisions behind it.
package struct RehearsalInfo: Codable, Hashable, Sendable {
    package let status: Int
    /// The client's answer, without the request ID.
    package let answer: JSONValue
    /// A sentence: whether the request would be refused, and the reason.
    package let verdict: String
    package let isRefused: Bool
    package let trail: [Step]
    /// Per-operation results, for requests with operations.
    package let operations: [Outcome]

    package struct Step: Codable, Hashable, Sendable {
        package let step: String
        package let outcome: String
        package let text: String

        package init(step: String, outcome: String, text: String) {
            (self.step, self.outcome, self.text) = (step, outcome, text)
        }
    }

    package struct Outcome: Codable, Hashable, Sendable {
        package let index: Int
        package let recordName: String?
        package let serverErrorCode: String?
        package let reason: String?
        /// The refusing decision.
        package let cause: String?

        package init(_ record: OperationRecord) {
            index = record.index
            recordName = record.recordName
            serverErrorCode = record.code?.rawValue
            reason = record.reason
            cause = record.cause?.text
        }
    }

    package init(
        status: Int, answer: JSONValue, verdict: String, isRefused: Bool, trail: [Step], operations: [Outcome]
    ) {
        self.status = status
        self.answer = answer
        self.verdict = verdict
        self.isRefused = isRefused
        self.trail = trail
        self.operations = operations
    }
}
