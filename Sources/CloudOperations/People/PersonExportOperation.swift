import CloudAccounts
import CloudModel
package import CloudTransfer

/// Exports a person's data.
package enum PersonExportOperation {
    /// The data is read while the answer is written to a file.
    package static let run = AdminOperation<UserChoice, PersonExport>(
        RouteLine.get("users/{email}/export", .people, .recordsRead, inside: .allEnvironments).unknown(.queryRefused),
        OperationText(
            "exportUser", "All data of a person in every container, as a zip.",
            "The zip is written while the data is read. The audit log notes the export."),
        audit: .own
    ) { call, input in
        guard let stores = call.workplace.stores else {
            throw ServerError(.internalError, "a person's data was read beside its server", .server(.fault))
        }
        let account = try await UserOperations.requireAccount(input.email, call)
        try await call.note("exported a user's data")
        return PersonExport(of: account, accounts: call.accounts, stores: stores)
    }
}

extension PersonExport: OperationAnswer {
    package static var content: AnswerContent { .zip }

    package func output(prefersJSON: Bool) -> AnswerOutput { AnswerOutput(.zip(self)) }

    package static func received(_ response: AnswerOutput) throws -> PersonExport { throw MalformedAnswer() }
}
