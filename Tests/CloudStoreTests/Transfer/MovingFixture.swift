import CloudModel
import Foundation
import Testing

@testable import CloudStore

/// A data folder with accounts, environments to fill, and folders to export to; gone with it.
final class MovingFixture: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        data = try DataFolder(path: folder + "/data")
        accounts = try AccountStore(folder: data)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func folder(_ name: String) -> ExportFolder { ExportFolder(path: "\(folder)/\(name)") }

    func open(_ container: Container, _ environment: ContainerEnvironment) async throws -> SQLiteRecordStore {
        try SQLiteRecordStore(
            path: data.recordsFile(container: container.id, environment: environment), container: container.name,
            environment: environment,
            routingKey: try await accounts.routingKey(container: container.id, environment: environment),
            assets: try FileAssetStore(
                folder: data.assetsFolder(container: container.id, environment: environment)),
            readers: 1, now: { 1_700_000_000_000 })
    }

    /// Opens an environment for as long as `body` takes.
    func with<T>(
        _ container: Container, _ environment: ContainerEnvironment, _ body: (SQLiteRecordStore) async throws -> T
    ) async throws -> T {
        let store = try await open(container, environment)
        let result = try await body(store)
        try await store.close()
        return result
    }

    @discardableResult
    func export(
        _ container: Container, _ environment: ContainerEnvironment = .production, to name: String
    ) async throws -> ExportManifest {
        try await EnvironmentExport(of: container, environment, in: data, accounts: accounts, to: folder(name)).run()
    }

    @discardableResult
    func take(
        _ name: String, into container: Container, _ environment: ContainerEnvironment = .production
    ) async throws -> ExportManifest {
        try await EnvironmentImport(
            of: folder(name), into: container, environment, in: data, accounts: accounts
        ).run()
    }

    /// Every file of an export by its path.
    func files(_ name: String) throws -> [String: Data] {
        let root = folder(name).path
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            files[path] = FileManager.default.contents(atPath: "\(root)/\(path)")
        }
        return files
    }

    /// Replaces a text in a file of an export, which must have it.
    func change(_ file: String, of name: String, _ old: String, to new: String) throws {
        let path = folder(name).path(file)
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        try #require(text.contains(old), "\(text)")
        try Data(text.replacing(old, with: new).utf8).write(to: URL(filePath: path))
    }
}
