import CloudAccounts
import CloudHTTP
import CloudModel
import CloudWire

extension Site {
    /// Whether people and operators sign in with passwords.
    package var takesPasswords: Bool { wire.settings.passwords == .on }

    /// - Throws: a page, where passwords are off.
    func requirePasswords() throws(PageError) {
        guard !takesPasswords else { return }
        throw PageError(.forbidden, key: "passwords.off", .credentials(.passwordsOff))
    }

    /// Whether an account has a password that it can sign in with.
    func hasPassword(_ account: UserAccount) async throws -> Bool {
        guard takesPasswords else { return false }
        return try await accounts.users.hasPassword(account)
    }
}
