package import CloudModel
package import CloudStore

/// Manages the console's operators. Creating or changing an operator requires every scope that operators have.
package enum OperatorOperations {
    package static let list = AdminOperation<Page<OperatorInfo>>(
        .get, "operators", .people, takes: ["after", "limit"]
    ) { call in
        try call.arguments.page(of: try await call.accounts.operators.list().map { OperatorInfo($0) }) {
            $0.email.lowercased()
        }
    }

    package static let add = AdminOperation<OperatorInfo>(
        .post, "operators", .schema, .recordsRead, .recordsWrite, .people, .operations, takes: ["email", "role"],
        audit: .change("made somebody an operator")
    ) { call in
        OperatorInfo(
            try await call.accounts.operators.add(
                email: try call.arguments.text("email"), role: try role(call.arguments), maker: call.identity.maker))
    }

    /// Changes an operator's role and ends their console sessions.
    package static let setRole = AdminOperation<OperatorInfo>(
        .put, "operators/{email}/role", .schema, .recordsRead, .recordsWrite, .people, .operations, takes: ["role"],
        audit: .change("changed an operator's role")
    ) { call in
        OperatorInfo(
            try await call.accounts.operators.setRole(
                try role(call.arguments), email: try call.arguments.text("email")))
    }

    /// Deletes an operator's authenticator app and recovery codes; the answer contains an enrolment code for another app.
    package static let resetSecondFactor = AdminOperation<OperatorInfo>(
        .post, "operators/{email}/second-factor", .schema, .recordsRead, .recordsWrite, .people, .operations,
        audit: .change("reset an operator's second factor")
    ) { call in
        OperatorInfo(try await call.accounts.operators.resetSecondFactor(email: try call.arguments.text("email")))
    }

    /// Removes an operator and their authenticator app. Lists credentials made in the console; the argument `made` revokes
    /// those too.
    package static let remove = AdminOperation<RevocationInfo>(
        .delete, "operators/{email}", .schema, .recordsRead, .recordsWrite, .people, .operations, takes: ["made"],
        audit: .change(removing)
    ) { call in
        let email = try call.arguments.text("email")
        let account = try await UserOperations.requireAccount(call).id
        return try await Revocation(maker: .operator(account: account), call: call).revoke(removing) {
            try await call.accounts.operators.remove(email: email)
        }
    }

    private static let removing = "removed an operator"

    private static func role(_ arguments: Arguments) throws(ServerError) -> OperatorRole {
        let text = try arguments.text("role")
        guard let role = OperatorRole(rawValue: text) else {
            throw .badRequest("role must be viewer, editor or owner, not '\(Naming.shown(text))'")
        }
        return role
    }
}

package struct OperatorInfo: Codable, Hashable, Sendable {
    package let email: String
    package let role: OperatorRole
    /// Whether an authenticator app is set up, which happens at the first sign-in.
    package let hasSecondFactor: Bool
    /// The code for setting up the app within a week, present only in the answer that creates it.
    package let enrolmentCode: String?
    package let disabled: Bool
    package let created: Timestamp

    init(_ made: EnrollingOperator) { self.init(made.operator, code: made.code) }

    init(_ known: ServerOperator, code: String? = nil) {
        email = known.account.email
        role = known.role
        hasSecondFactor = known.hasSecondFactor
        enrolmentCode = code
        disabled = known.account.disabled
        created = known.created
    }
}
