import CloudAccounts
import CloudEngine
import CloudServer
import ArgumentParser
import Foundation

extension AccessOptions {
    /// Calls `body` with the server to ask about requests: named by `--server`, or else running on the data folder. Request
    /// records are in the server's memory.
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
