import CloudModel
package import CloudStore

extension StoreOperations {
    /// The route of ``exportOfPerson(_:)`` below `/admin/1/`. The catalogue omits this route, whose answer is a file.
    package static let exportRoute = (path: "users/{email}/export", scopes: [ManagementScope.people, .recordsRead])

    /// Exports a person's data, for writing to a file. Writes an audit entry.
    ///
    /// - Throws: `ACCESS_DENIED` without the scopes, `NOT_FOUND` for an address without an account.
    package func exportOfPerson(_ email: String) async throws -> PersonExport {
        try identity.require(Self.exportRoute.scopes)
        try identity.require(container: nil)
        guard let stores = workplace.stores else {
            throw ServerError(.internalError, "a person's data was read beside its server", .server(.fault))
        }
        let arguments: Arguments = ["email": .string(email)]
        let account = try await UserOperations.requireAccount(
            OperationCall(workplace: workplace, arguments: arguments, identity: identity))
        try await note("exported a user's data", arguments)
        return PersonExport(of: account, accounts: workplace.accounts, stores: stores)
    }
}
