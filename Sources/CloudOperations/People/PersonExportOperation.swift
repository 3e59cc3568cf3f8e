package import CloudModel
package import CloudStore

extension StoreOperations {
    /// The route below `/admin/1/` at which ``exportOfPerson(_:)`` is. Its answer is a file, so it is none of the
    /// operations of the catalogue.
    package static let exportRoute = (path: "users/{email}/export", scopes: [ManagementScope.people, .recordsRead])

    /// All that a person has, to be written into a file. It leaves its line in the audit log.
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
