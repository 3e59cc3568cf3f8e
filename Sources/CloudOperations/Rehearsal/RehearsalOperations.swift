package import CloudAccounts
package import CloudModel

/// Rehearses requests as another caller, without side effects.
package enum RehearsalOperations {
    /// Answers a query, a lookup or a save as for a user, a server-to-server key or an anonymous caller.
    ///
    /// The code of real requests runs; no change persists.
    package static let run = AdminOperation<RehearsalChoice, RehearsalInfo>(
        .post("act-as", .recordsRead, inside: .environment),
        OperationText(
            "actAs", "Try a query, a lookup or a save as another caller, without side effects.",
            "The answer is the server's present answer to the same request, without limits on rates."),
        audit: .look("tried a request as somebody")
    ) { call, input in
        let (container, environment) = (try await call.container(input.place.container), input.place.environment)
        guard let rehearse = call.workplace.rehearse else {
            throw ServerError(
                .internalError, "a request was tried beside its server", .server(.fault))
        }
        let caller = try await caller(input, container, call)
        guard caller != .operator || input.database == .public else {
            throw ServerError.badRequest("an operator works in the public database alone; name the user of another")
        }
        return try await rehearse(
            RehearsedRequest(
                container: container, environment: environment, scope: input.database, caller: caller,
                operation: input.operation, body: input.body))
    }

    private static func caller(
        _ input: RehearsalChoice, _ container: Container, _ call: OperationCall
    ) async throws -> Caller {
        if input.operator {
            guard input.user == nil, input.key == nil else {
                throw ServerError.badRequest("name one of user, key and operator")
            }
            return .operator
        }
        switch (input.user, input.key) {
        case (nil, nil): return .world
        case (let user?, nil): return .user(recordName: try await call.recordName(of: user, in: container))
        case (nil, let id?):
            guard let key = try await call.accounts.reader().serverKey(id), key.container == container.id,
                key.environment == input.place.environment
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

/// A request to rehearse, and its caller.
package struct RehearsalChoice: OperationInput {
    package let place: EnvironmentAddress
    package let user: String?
    package let key: String?
    package let `operator`: Bool
    package let database: DatabaseScope
    package let operation: RehearsedRequest.Operation
    package let body: JSONObject

    package static let fields = InputFields(
        Self.init, .group(\.place),
        .text("user", \.user, "As this user: an email address or user record name. The audit log notes the look."),
        .text("key", \.key, "As this server-to-server key, by its id; anonymously without user, key and operator."),
        .flag("operator", \.operator, "As an operator, whom grants in the public database do not bind."),
        .choice(
            "database", \.database, or: .public,
            "The database as the caller sees it: public, private or shared; the public database without."),
        .choice(
            "operation", \.operation, "The request's operation.",
            allowed: "one of " + RehearsedRequest.Operation.allCases.map(\.rawValue).joined(separator: ", ")),
        .object("body", \.body, "The body of the request."))
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
package struct RehearsalInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminRehearsal", "The rehearsed answer and the decisions behind it.",
        [
            "answer": "The client's answer, without the request ID.",
            "verdict": "A sentence: whether the request would be refused, and the reason.",
            "operations": "Results by operation, for requests with operations.",
        ])

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
