import CloudModel
package import CloudStore

/// Deletes a person and all their data.
package enum DeletionOperations {
    /// Lists the data that a deletion would remove.
    package static let preview = AdminOperation<PersonDataInfo>(
        .get, "users/{email}/deletion", .people, audit: .look("looked at what a deletion removes")
    ) { call in
        try await PersonDataInfo(call)
    }

    /// Deletes the account and the person's data in every container; the answer lists the deleted data. Requires the scope to
    /// write records.
    package static let run = AdminOperation<PersonDataInfo>(
        .post, "users/{email}/deletion", .people, .recordsWrite, audit: .change("deleted a user")
    ) { call in
        let data = try await PersonDataInfo(call)
        try await call.deletion().run(email: data.email, within: call.identity.reach)
        return data
    }
}

/// A person's data on the server.
package struct PersonDataInfo: Codable, Hashable, Sendable {
    package let email: String
    package let sessions: Int
    package let environments: [PersonEnvironment]

    fileprivate init(_ call: OperationCall) async throws {
        let account = try await UserOperations.requireAccount(call)
        email = account.email
        sessions = try await call.accounts.sessions.list(email: account.email, container: nil).count
        environments = try await call.deletion().footprints(email: account.email)
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
