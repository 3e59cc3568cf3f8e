package import CloudAccounts
package import CloudModel

/// Manages the console's operators. Creating or changing an operator requires every scope that operators have.
package enum OperatorOperations {
    package static let list = AdminOperation<PageChoice, Page<OperatorInfo>>(
        .get("operators", .people), OperationText("listOperators", "The operators of the console, by address.")
    ) { call, input in
        try input.page(of: try await call.accounts.operators.list().map { OperatorInfo($0) }) {
            $0.name.lowercased()
        }
    }

    package static let add = AdminOperation<NewOperator, OperatorInfo>(
        .post("operators", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText(
            "addOperator", "Make a user an operator; the answer has a code for setting up the authenticator app."),
        audit: .change("made somebody an operator")
    ) { call, input in
        OperatorInfo(
            try await call.accounts.operators.add(
                email: input.email, role: input.role, maker: call.identity.maker))
    }

    package static let setRole = AdminOperation<OperatorRoleChange, OperatorInfo>(
        .put("operators/{email}/role", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText("setOperatorRole", "Give an operator another role, and sign them out of the console."),
        audit: .change("changed an operator's role")
    ) { call, input in
        OperatorInfo(
            try await call.accounts.operators.setRole(
                input.role, email: input.email))
    }

    package static let resetSecondFactor = AdminOperation<UserChoice, OperatorInfo>(
        .post("operators/{email}/second-factor", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText(
            "resetSecondFactor",
            "Delete an operator's authenticator app and recovery codes; the answer has a code for setting up another app."
        ),
        audit: .change("reset an operator's second factor")
    ) { call, input in
        OperatorInfo(try await call.accounts.operators.resetSecondFactor(email: input.email))
    }

    package static let remove = AdminOperation<OperatorRemoval, RevocationInfo>(
        .delete("operators/{email}", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText(
            "removeOperator",
            "Remove an operator and their authenticator app, and list the credentials made by them in the console.",
            "The last owner stays."),
        audit: .change(removing)
    ) { call, input in
        let account = try await UserOperations.requireAccount(input.email, call).id
        let revocation = Revocation(maker: .operator(account: account), isDeep: input.made, call: call)
        return try await revocation.revoke(removing) { try await call.accounts.operators.remove(email: input.email) }
    }

    private static let removing = "removed an operator"
}

package struct NewOperator: OperationInput {
    package let email: String
    package let role: OperatorRole

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address or id of a user."), .role(\.role))
}

package struct OperatorRoleChange: OperationInput {
    package let email: String
    package let role: OperatorRole

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address or the account's id."), .role(\.role))
}

package struct OperatorRemoval: OperationInput {
    package let email: String
    package let made: Bool

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address or the account's id."),
        .flag("made", \.made, "Revoke also the credentials that they made in the console."))
}

extension InputField where Value == OperatorRole {
    fileprivate static func role(_ property: InputProperty<Input, Value>) -> Self {
        .choice("role", property, "What they may do: look (viewer), change records too (editor), or all (owner).")
    }
}

package struct OperatorInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminOperator", "An operator of the console.",
        [
            "email": "Left out for an account without an address.",
            "role": "A viewer reads, an editor also changes records and shares, an owner does everything.",
            "hasSecondFactor": "Whether an authenticator app is set up, which happens at the first sign-in.",
            "enrolmentCode":
                "The code for setting up the app within a week, present only in the answer that creates it.",
        ])

    package let account: Int64
    package let email: String?
    package let role: OperatorRole
    /// Whether an authenticator app is set up, which happens at the first sign-in.
    package let hasSecondFactor: Bool
    /// The code for setting up the app within a week, present only in the answer that creates it.
    package let enrolmentCode: String?
    package let disabled: Bool
    package let created: Timestamp

    /// The address, or the account's id without one.
    package var name: String { email ?? String(account) }

    init(_ made: EnrollingOperator) { self.init(made.operator, code: made.code) }

    init(_ known: ServerOperator, code: String? = nil) {
        account = known.account.id
        email = known.account.email
        role = known.role
        hasSecondFactor = known.hasSecondFactor
        enrolmentCode = code
        disabled = known.account.disabled
        created = known.created
    }
}
