package import CloudModel
package import CloudStore

/// The people who may sign in to the console. Whoever makes an operator may do all that an operator does.
package enum OperatorOperations {
    package static let list = AdminOperation<Page<OperatorInfo>>(
        .get, "operators", .people, takes: ["after", "limit"]
    ) { call in
        try call.arguments.page(of: try await call.accounts.operators().map(OperatorInfo.init), key: \.email)
    }

    package static let add = AdminOperation<OperatorInfo>(
        .post, "operators", .schema, .recordsRead, .recordsWrite, .people, .operations, takes: ["email", "role"],
        audit: .change("made somebody an operator")
    ) { call in
        OperatorInfo(
            try await call.accounts.addOperator(
                email: try call.arguments.text("email"), role: try role(call.arguments)))
    }

    /// Gives an operator another role, and signs them out of the console.
    package static let setRole = AdminOperation<OperatorInfo>(
        .put, "operators/{email}/role", .schema, .recordsRead, .recordsWrite, .people, .operations, takes: ["role"],
        audit: .change("changed an operator's role")
    ) { call in
        OperatorInfo(
            try await call.accounts.setOperatorRole(
                try role(call.arguments), email: try call.arguments.text("email")))
    }

    /// Closes the console to somebody, and forgets their authenticator app.
    package static let remove = AdminOperation<Done>(
        .delete, "operators/{email}", .people, audit: .change("removed an operator")
    ) { call in
        try await call.accounts.removeOperator(email: try call.arguments.text("email"))
        return Done()
    }

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
    /// Whether an authenticator app has been set up, as it is at the first sign-in.
    package let hasSecondFactor: Bool
    package let disabled: Bool
    package let created: Timestamp

    init(_ known: ServerOperator) {
        email = known.account.email
        role = known.role
        hasSecondFactor = known.hasSecondFactor
        disabled = known.account.disabled
        created = known.created
    }
}
