import CloudAccounts
import CloudModel

/// An operator's action: its route under `/admin/1/`, required scopes, input, answer, audit rule and implementation.
///
/// Commands, the admin API and the console all go through these operations. Documents and help are made from them.
package struct AdminOperation<Input: OperationInput, Answer: OperationAnswer>: Sendable {
    package let route: OperationRoute
    let perform: @Sendable (OperationCall, Input) async throws -> Answer

    /// - Parameters:
    ///   - line: the route.
    ///   - text: the operation's ID and description.
    init(
        _ line: RouteLine, _ text: OperationText, audit: AuditRule = .none,
        _ perform: @escaping @Sendable (OperationCall, Input) async throws -> Answer
    ) {
        route = OperationRoute(line: line, text: text, parameters: Input.fields.parameters, audit: audit)
        self.perform = perform
    }
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
    /// An entry of the operation's own, before it answers.
    case own
}

/// The surroundings of an operation's run: the server's stores and the operator.
struct OperationCall: Sendable {
    let workplace: Workplace
    /// The arguments as given, for audit entries.
    fileprivate let arguments: Arguments
    let identity: OperatorIdentity

    var accounts: AccountStore { workplace.accounts }

    init(workplace: Workplace, arguments: Arguments, identity: OperatorIdentity) {
        self.workplace = workplace
        self.arguments = arguments
        self.identity = identity
    }

    /// Writes an audit entry about a change.
    ///
    /// - Parameter subject: the changed object; nil takes the subject from the arguments.
    func note(_ action: String, subject: String? = nil) async throws {
        var note = auditNote(action)
        if let subject { note.subject = subject }
        try await accounts.audit.note(note)
    }

    /// Writes an audit entry about a look.
    func noteLook(_ action: String) async throws { try await accounts.audit.noteLook(auditNote(action)) }

    private func auditNote(_ action: String) -> AuditNote {
        AuditNote(
            who: identity.name, action: action, container: arguments["container"]?.string,
            environment: try? arguments.environment(),
            person: arguments["user"]?.string ?? arguments["email"]?.string ?? arguments["person"]?.string,
            subject: arguments.subject)
    }
}

/// A route of the admin API with the type of its answer, for documents.
struct DescribedRoute: Sendable {
    let route: OperationRoute
    let answer: any OperationAnswer.Type
    /// Statuses that other routes answer and this route does not.
    let neverRefuses: Set<String>

    init(_ route: OperationRoute, _ answer: any OperationAnswer.Type, neverRefuses: Set<String> = []) {
        self.route = route
        self.answer = answer
        self.neverRefuses = neverRefuses
    }
}

/// An operation with its input and answer types erased, for the catalogue.
package struct AnyAdminOperation: Sendable {
    package let route: OperationRoute
    package let answer: any OperationAnswer.Type
    package let run: @Sendable (any Operations, Arguments) async throws -> any OperationAnswer

    init<Input, Answer>(_ operation: AdminOperation<Input, Answer>) {
        route = operation.route
        answer = Answer.self
        run = { try await $0.run(operation, $1) }
    }
}
