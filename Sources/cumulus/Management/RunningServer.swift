import CloudAccounts
import CloudEngine
import CloudModel

/// The server running on a local data folder, as described in the lock file.
struct RunningServer {
    let origin: String
    private let isDevelopment: Bool

    private static let mark = " for development"

    /// Nil without a listening server.
    init?(on folder: DataFolder) {
        let note = FileLock.note(at: folder.lockFile)
        guard note.hasPrefix("http") else { return nil }
        isDevelopment = note.hasSuffix(Self.mark)
        origin = isDevelopment ? String(note.dropLast(Self.mark.count)) : note
    }

    /// The server's note in the lock file.
    static func note(origin: String, isDevelopment: Bool) -> String { origin + (isDevelopment ? mark : "") }

    /// Calls `body` with a client that uses a temporary token, revoked afterwards.
    ///
    /// - Parameters:
    ///   - container: limits the token; nil for all containers.
    ///   - lifetime: bounds the token's life if the command is killed before revoking it.
    func withClient<T>(
        for container: String?, name: String, _ accounts: AccountStore, lifetime: Duration = .seconds(3600),
        _ body: (ManagementClient) async throws -> T
    ) async throws -> T {
        // A development server's clock may be ahead, and the token expires by that clock.
        let ahead = isDevelopment ? await ManagementClient.clockAhead(at: origin) : .zero
        let (text, token) = try await accounts.managementTokens.create(
            container: container, name: name, lifetime: lifetime + ahead)
        let result: Result<T, any Error>
        do {
            result = .success(try await body(try ManagementClient(origin: origin, token: text)))
        } catch {
            result = .failure(error)
        }
        // Ignore failures: the token may already be deleted or expired.
        try? await accounts.managementTokens.revoke(id: token.id)
        return try result.get()
    }
}
