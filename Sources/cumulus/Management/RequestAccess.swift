import ArgumentParser
import CloudServer
import CloudStore
import Foundation

extension AccessOptions {
    /// Hands `body` the server whose requests are asked for: the one `--server` names, else the one that serves the data
    /// folder. Records are in its memory.
    func withServer<T>(_ body: (ManagementClient) async throws -> T) async throws -> T {
        if let server {
            return try await body(
                try ManagementClient(origin: server, token: ManagementTokenSource.text(file: managementTokenFile)))
        }
        let settings = try common.reader().settings()
        let folder = try settings.dataFolder(mayBeNew: false)
        guard let server = RunningServer(on: folder) else {
            throw Complaint(
                "no server runs on \(folder.path), and requests are remembered by the server that answered them; "
                    + "those that 'requests.fileDays' has kept are in \(folder.requestsFolder)")
        }
        let accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
        return try await server.withClient(for: nil, name: "a command", accounts, lifetime: .seconds(86_400), body)
    }
}
