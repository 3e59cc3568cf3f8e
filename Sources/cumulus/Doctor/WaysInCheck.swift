import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudPages
import CloudServer
import CloudWire

/// Checks that people can sign in although passwords are off.
struct WaysInCheck {
    let settings: Settings
    let accounts: AccountStore

    private static let subject = "signIn.passwords"

    /// Nothing where passwords are on.
    func run() async -> [Finding] {
        guard settings.server.passwords == .off else { return [] }
        do {
            return [
                try await fault() ?? .ok(Self.subject, "it is off; people sign in at a provider or with a passkey")
            ]
        } catch {
            return [
                .warn(Self.subject, "the accounts cannot be read: \(Complaint(error).description)", "see 'integrity'")
            ]
        }
    }

    /// Nil if people can sign in, by whichever way.
    func fault() async throws -> Finding? {
        guard settings.server.passwords == .off, !settings.server.dev else { return nil }
        guard try await accounts.providers.all().isEmpty else { return nil }
        let party = try? settings.server.passkeys.relyingParty(publicURL: settings.server.publicURL)
        if let party, try await accounts.passkeys.exist(for: party.id) { return nil }
        return .fail(
            Self.subject,
            "signIn.passwords is off, and there is neither a provider nor a passkey, so nobody can sign in",
            "add a provider with 'cumulus provider add', or turn passwords on until people have passkeys")
    }
}
