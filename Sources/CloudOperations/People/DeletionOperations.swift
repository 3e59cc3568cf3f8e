import CloudAccounts
import CloudModel
package import CloudTransfer

/// Deletes a person and all their data.
package enum DeletionOperations {
    package static let preview = AdminOperation<UserChoice, PersonDataInfo>(
        .get("users/{email}/deletion", .people, inside: .allEnvironments),
        OperationText("previewUserDeletion", "The data that the deletion of a person would remove."),
        audit: .look("looked at what a deletion removes")
    ) { call, input in
        try await PersonDataInfo(of: input.email, call)
    }

    /// Deletes the account and the person's data in every container; the answer lists the deleted data. Requires the scope to
    /// write records.
    package static let run = AdminOperation<UserChoice, PersonDataInfo>(
        .post("users/{email}/deletion", .people, .recordsWrite, inside: .allEnvironments),
        OperationText("deleteUser", "Delete a person with all their data in every container."),
        audit: .change("deleted a user")
    ) { call, input in
        let data = try await PersonDataInfo(of: input.email, call)
        try await call.deletion().run(email: String(data.account), within: call.identity.reach)
        return data
    }
}

/// A person's data on the server.
package struct PersonDataInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminPersonData", "A person's data on the server.",
        ["email": "Left out for an account without an address."])

    package let account: Int64
    package let email: String?
    package let sessions: Int
    package let environments: [PersonEnvironment]

    /// The address, or the account's id without one.
    package var name: String { email ?? String(account) }

    fileprivate init(of email: String, _ call: OperationCall) async throws {
        let account = try await UserOperations.requireAccount(email, call)
        self.account = account.id
        self.email = account.email
        sessions = try await call.accounts.sessions.list(email: account.idText, container: nil).count
        environments = try await call.deletion().footprints(email: account.idText)
    }
}

extension OperationCall {
    func deletion() throws -> PersonDeletion {
        guard let stores = workplace.stores else {
            throw ServerError(
                .internalError, "a person's data was worked on beside its server", .server(.fault))
        }
        return PersonDeletion(accounts: accounts, stores: stores, limits: workplace.limits)
    }
}
