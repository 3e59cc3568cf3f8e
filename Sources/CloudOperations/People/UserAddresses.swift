package import CloudAccounts
import CloudModel

/// Maps user record names to email addresses, for pages and lists.
package struct UserAddresses: Hashable, Sendable {
    private let emails: [String: String]

    /// - Parameter users: user record names, each with its container; users without a container get no address.
    package init(
        of users: [(name: String?, container: String?)], seenBy identity: OperatorIdentity, _ accounts: AccountStore
    ) async throws {
        var emails: [String: String] = [:]
        var names: [String: Set<String>] = [:]
        // Operators without access to people or records see no addresses.
        let mayKnow = !identity.scopes.isDisjoint(with: [.people, .recordsRead])
        for case (let name?, let container?) in users where mayKnow { names[container, default: []].insert(name) }
        for (container, names) in names {
            guard let id = try await accounts.reader().container(named: container)?.id else { continue }
            let entries = try await accounts.people.users(names.map { .recordName($0) }, container: id)
            for entry in entries.compactMap(\.self) { emails[entry.userRecordName] = entry.email }
        }
        self.emails = emails
    }

    /// Nil for users without an active account.
    package subscript(name: String) -> String? { emails[name] }

    /// Replaces record names in a sentence with addresses.
    package func told(_ text: String) -> String { emails.reduce(text) { $0.replacing($1.key, with: $1.value) } }
}
