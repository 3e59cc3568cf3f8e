extension AccountStore {
    /// Returns true if this is the page's password. Its hashing queues with that of sign-ins.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when too many wait.
    package func fits(_ password: String, _ link: PageSettings, turn: PasswordTurn = .known) async throws -> Bool {
        try await passwordWork.fits(password, link.password, turn)
    }

    /// Sets, or with nil drops, the password of a page.
    ///
    /// - Throws: `BAD_REQUEST` for one that is too long, `TRY_AGAIN_LATER` when too many wait.
    package func setPassword(_ password: String?, of link: inout PageSettings) async throws {
        guard let password else {
            link.password = nil
            return
        }
        try PageSettings.check(password)
        link.password = try await passwordWork.hash(password)
    }
}
