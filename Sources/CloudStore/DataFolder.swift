package import CloudAssets
package import CloudModel
import Foundation

/// The reason why a folder cannot be the data folder, in a sentence.
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

/// The one folder everything a server keeps is in. No name that a client chose becomes a file name.
package struct DataFolder: Sendable {
    package let path: String
    /// The engine that keeps the databases in the folder.
    let engine: any StoreEngine
    /// The place of the bytes of assets.
    package let assets: any AssetBackend
    /// The same in words.
    let assetsLocation: String
    /// The clock that everything in it goes by.
    package let now: Now

    /// Opens `path`, creating it, readable by its owner alone, when it is not there.
    ///
    /// - Parameters:
    ///   - assets: nil to keep them beside the databases.
    ///   - now: the time; the server, its accounts and its environments go by it.
    /// - Throws: ``DataFolderUnusable`` when it cannot be made or written.
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

    /// The place of assets that are beside the databases, wherever those are moved to.
    static let ownAssets = "the data folder"

    /// - Throws: ``DataFolderUnusable`` when there are databases of containers and no accounts, which name them.
    func refuseLostAccounts() throws {
        if let accounts = try engine.facts(of: accountsFile), !accounts.isEmpty { return }
        let databases = try engine.databases(beginningWith: containersFolder + "/")
        guard let first = databases.min().map(engine.name) else { return }
        throw DataFolderUnusable(
            description: "\(containersFolder) has databases (\(first)\(databases.count > 1 ? ", …" : "")), but "
                + "\(accountsName), which says whose they are, is missing or empty; put it back, or move the databases away"
        )
    }

    /// The place of its databases, for people.
    package var place: String { engine.place ?? path }

    /// The databases of containers and their assets.
    var containersFolder: String { path + "/containers" }

    /// Accounts, API tokens, keys, sessions and the list of containers.
    package var accountsFile: String { Self.accountsFile(in: path) }
    package static func accountsFile(in path: String) -> String { path + "/accounts.sqlite" }

    /// The name by which an operator finds the accounts.
    var accountsName: String { engine.name(of: accountsFile) }

    /// A name that no other folder has, drawn when it is first asked for and kept in the folder.
    func name() throws -> String {
        let path = path + "/name"
        if let known = FileManager.default.contents(atPath: path) { return String(decoding: known, as: UTF8.self) }
        let name = RandomText.hex(bytes: 4, .stores)
        do { try LineWriter.save(Array(name.utf8), as: path) } catch {
            throw DataFolderUnusable(path: path, doing: "written", error)
        }
        return name
    }

    /// Held by the one server process that serves this folder.
    package var lockFile: String { path + "/server.lock" }

    /// Messages to people that no command takes on its way.
    package var outbox: String { path + "/outbox" }

    /// The records of requests that are kept in files.
    package var requestsFolder: String { path + "/requests" }

    /// The records of one environment of the container with this row id.
    package func recordsFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue).sqlite"
    }

    /// Claims the databases for a server beside others, or for a command alone. To be asked again and again, since a claim
    /// ends with a lost connection.
    ///
    /// - Returns: whether they are this program's. Where the folder's lock says so, they are.
    package func claim(alone: Bool) throws -> Bool { try engine.locks?.hold("serving", shared: !alone) ?? true }

    /// Takes away everything that is there of a container's environments, and of moving them, but for their assets.
    package func removeDatabases(ofContainer container: Int64) async throws {
        try await engine.call { try removeAll(ofContainer: container) }
    }

    private func removeAll(ofContainer container: Int64) throws {
        let start = "\(container)-"
        for database in try engine.databases(beginningWith: "\(containersFolder)/\(start)") {
            try engine.remove(database)
        }
        try removeSnapshots(ofContainer: container)
        for name in try FileManager.default.contentsOfDirectory(atPath: containersFolder) where name.hasPrefix(start) {
            try FileManager.default.removeItem(atPath: "\(containersFolder)/\(name)")
        }
    }
}
