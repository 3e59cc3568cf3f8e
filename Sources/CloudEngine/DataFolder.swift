package import CloudAssets
package import CloudModel
import Foundation

/// The reason why a data folder is unusable, in one sentence.
package struct DataFolderUnusable: Error, CustomStringConvertible {
    package let description: String

    init(description: String) { self.description = description }

    init(path: String, doing what: String, _ error: any Error) {
        let cause = (error as? POSIXError) ?? ((error as? CocoaError)?.underlying as? POSIXError)
        let code = cause?.code.rawValue ?? (error as? FileFault)?.code
        let reason = code.map { String(cString: strerror($0)) } ?? error.localizedDescription
        self.init(description: "the data folder \(path) cannot be \(what): \(reason); name another with --data")
    }
}

/// A server's data folder. File names never contain client-chosen names.
package struct DataFolder: Sendable {
    package let path: String
    /// The database engine.
    package let engine: any StoreEngine
    /// The store for asset contents.
    package let assets: any AssetBackend
    /// The asset location in words.
    package let assetsLocation: String
    /// The clock of the server, its accounts and environments.
    package let now: Now

    /// Opens the data folder at `path`, or creates it, readable by its owner alone.
    ///
    /// - Parameters:
    ///   - assets: nil for assets beside the databases.
    ///   - now: the clock of the server, its accounts and environments.
    /// - Throws: ``DataFolderUnusable`` when the folder cannot be created or written.
    package init(
        path: String, engine: any StoreEngine, assets: (any AssetBackend)? = nil, now: @escaping Now = Timestamp.now
    ) throws {
        self.path = path
        self.engine = engine
        self.assets = assets ?? DiskAssets(root: path + "/containers", makesRoot: false)
        assetsLocation = assets?.place ?? Self.ownAssets
        self.now = now
        for folder in [path, path + "/containers"] {
            do {
                try Folder.make(folder)
            } catch {
                throw DataFolderUnusable(path: folder, doing: "made", error)
            }
            guard access(folder, R_OK | W_OK | X_OK) == 0 else {
                throw DataFolderUnusable(path: folder, doing: "written", POSIXError(.init(rawValue: errno) ?? .EIO))
            }
        }
    }

    /// The location name for assets beside the databases; it stays valid when the folder moves.
    package static let ownAssets = "the data folder"

    /// The file that notes a restore in progress.
    package var restoreNote: String { path + "/restore.json" }

    /// - Throws: ``DataFolderUnusable`` when a restore was interrupted between its renames.
    package func refuseUnfinishedRestore() throws {
        guard FileManager.default.fileExists(atPath: restoreNote) else { return }
        throw DataFolderUnusable(
            description: "restoring a backup into \(path) was interrupted; run 'cumulus backup restore' again, which "
                + "finishes it")
    }

    /// - Throws: ``DataFolderUnusable`` when container databases exist without the accounts that name them.
    package func refuseLostAccounts() throws {
        if let accounts = try engine.locations.facts(of: accountsFile), !accounts.isEmpty { return }
        let databases = try engine.locations.databases(beginningWith: containersFolder + "/")
        guard let first = databases.min().map(engine.locations.name) else { return }
        throw DataFolderUnusable(
            description: "\(containersFolder) has databases (\(first)\(databases.count > 1 ? ", …" : "")), but "
                + "\(accountsName), which says whose they are, is missing or empty; put it back, or move the databases away"
        )
    }

    /// The location of the databases, for operators.
    package var place: String { engine.locations.place ?? path }

    /// The folder of container databases and their assets.
    package var containersFolder: String { path + "/containers" }

    /// The database of accounts, API tokens, keys, sessions and containers.
    package var accountsFile: String { Self.accountsFile(in: path) }
    package static func accountsFile(in path: String) -> String { path + "/accounts.sqlite" }

    /// The accounts database's name for operators.
    package var accountsName: String { engine.locations.name(of: accountsFile) }

    /// The folder's random name, created on first use and stored in the folder.
    package func name() throws -> String {
        let path = path + "/name"
        if let known = FileManager.default.contents(atPath: path) { return String(decoding: known, as: UTF8.self) }
        let name = RandomText.hex(bytes: 4, .stores)
        do { try LineWriter.save(Array(name.utf8), as: path) } catch {
            throw DataFolderUnusable(path: path, doing: "written", error)
        }
        return name
    }

    /// The lock file of the server process that serves this folder.
    package var lockFile: String { path + "/server.lock" }

    /// The folder for messages to people when no delivery command is set.
    package var outbox: String { path + "/outbox" }

    /// The folder of recorded requests.
    package var requestsFolder: String { path + "/requests" }

    /// The records database of one environment; `container` is the container's row id.
    package func recordsFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue).sqlite"
    }

    /// Claims the databases, shared among servers or exclusively for a command. Callers repeat the call, because a lost
    /// connection ends the claim.
    ///
    /// - Returns: whether this program holds the claim; always true where the folder's lock file decides.
    package func claim(alone: Bool) throws -> Bool { try engine.locks?.hold("serving", shared: !alone) ?? true }
}
