package import CloudModel
import Foundation

/// The one folder everything a server keeps is in. No name that a client chose becomes a file name.
package struct DataFolder: Hashable, Sendable {
    package let path: String

    /// Opens `path`, creating it, readable by its owner alone, when it is not there.
    package init(path: String) throws {
        self.path = path
        for folder in [path, path + "/containers"] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    /// Accounts, API tokens, keys, sessions and the list of containers.
    package var accountsFile: String { path + "/accounts.sqlite" }

    /// Held by the one server process that serves this folder.
    package var lockFile: String { path + "/server.lock" }

    /// Messages to people that no command takes on its way.
    package var outbox: String { path + "/outbox" }

    /// The records of one environment of the container with this row id.
    package func recordsFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue).sqlite"
    }

    /// Everything that is there of a container's environments, and of moving them.
    package func files(ofContainer container: Int64) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/containers")
            .filter { $0.hasPrefix("\(container)-") }.map { "\(path)/containers/\($0)" }
    }
}
