package import CloudAccounts

/// The passwords of pages.
package struct PagePasswords: Sendable {
    let database: AccountDatabase

    /// Returns true if the password is the page's. Queues for hashing together with sign-ins.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if too many passwords wait to be checked.
    package func fits(_ password: String, _ link: PageSettings, turn: PasswordTurn = .known) async throws -> Bool {
        try await database.passwordWork.fits(password, link.password, turn)
    }

    /// Sets the password of a page, or removes it if nil.
    ///
    /// - Throws: `BAD_REQUEST` for a password that is too long, `TRY_AGAIN_LATER` if too many passwords wait to be hashed.
    package func set(_ password: String?, of link: inout PageSettings) async throws {
        guard let password else {
            link.password = nil
            return
        }
        try PageSettings.check(password)
        link.password = try await database.passwordWork.hash(password)
    }
}

extension AccountStore {
    package var pagePasswords: PagePasswords { PagePasswords(database: database) }
}
