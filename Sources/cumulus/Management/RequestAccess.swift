import ArgumentParser
import CloudServer
import CloudStore
import Foundation

extension AccessOptions {
    /// The time that a command's own token is good for, should the command not live to take it back.
    private static let tokenLifetime = Duration.seconds(86400)

    /// Hands `body` the server whose requests are asked for: the one `--server` names, else the one that serves the data
    /// folder. Records are in its memory.
    func withServer<T>(_ body: (ManagementClient) async throws -> T) async throws -> T {
        if let server {
            return try await body(
                try ManagementClient(origin: server, token: ManagementTokenSource.text(file: managementTokenFile)))
        }
        let settings = try common.reader().settings()
        let folder = try settings.dataFolder(mayBeNew: false)
        let origin = FileLock.note(at: folder.lockFile)
        guard origin.hasPrefix("http") else {
            throw Complaint(
                "no server runs on \(folder.path), and requests are remembered by the server that answered them; "
                    + "those that 'requests.fileDays' has kept are in \(folder.requestsFolder)")
        }
        let accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
        let (text, token) = try await accounts.createManagementToken(
            container: nil, name: "a command", lifetime: Self.tokenLifetime)
        let result: Result<T, any Error>
        do { result = .success(try await body(try ManagementClient(origin: origin, token: text))) } catch {
            result = .failure(error)
        }
        // Deleted or expired meanwhile is as good.
        try? await accounts.revokeManagementToken(id: token.id)
        return try result.get()
    }
}
