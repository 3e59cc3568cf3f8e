/// Whether people and operators sign in with passwords, from the setting `signIn.passwords`.
package enum PasswordPolicy: String, CaseIterable, Sendable {
    case on, off
}

extension AccountStore {
    /// Whether anybody can sign in without a password: at a provider, or with a passkey of this relying party.
    ///
    /// - Parameter relyingParty: nil where there are no passkeys.
    package func hasWayWithoutPasswords(relyingParty: String?) async throws -> Bool {
        if try await !providers.all().isEmpty { return true }
        guard let relyingParty else { return false }
        return try await passkeys.exist(for: relyingParty)
    }
}
