import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// A data folder with accounts, environments to fill, and folders to export to; gone with it.
final class MovingFixture: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    private let folder: String

    /// - Parameter engine: has migrations lay out what is imported, as the program does.
    convenience init(engine: any StoreEngine = TestEngine(copiesRecords: false)) throws {
        try self.init(in: Self.place, engine)
    }

    private init(in folder: String, _ engine: any StoreEngine) throws {
        self.folder = folder
        data = try DataFolder(path: folder + "/data", engine: engine)
        accounts = try AccountStore(folder: data)
    }

    private static var place: String {
        FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
    }

    /// Everything as a kill would leave it now.
    func killed() throws -> MovingFixture {
        let place = Self.place
        try FileManager.default.copyItem(atPath: folder, toPath: place)
        return try MovingFixture(in: place, data.engine)
    }

    /// A place of its own with an export of this one.
    func elsewhere(_ name: String) throws -> MovingFixture {
        let there = try MovingFixture()
        try FileManager.default.copyItem(atPath: folder(name).path, toPath: there.folder(name).path)
        return there
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func folder(_ name: String) -> ExportFolder { ExportFolder(path: "\(folder)/\(name)") }

    func open(_ container: Container, _ environment: ContainerEnvironment) async throws -> EnvironmentStore {
        let folder = try data.assetFolders.name(container: container.id, environment: environment)
        return EnvironmentStore(
            stored: try StoredEnvironment(
                EnvironmentIdentity(
                    path: data.recordsFile(container: container.id, environment: environment),
                    container: container.name, environment: environment,
                    routingKey: try await accounts.environments.routingKey(
                        container: container.id, environment: environment)),
                engine: data.engine,
                files: EnvironmentFiles(assets: data.assets.store(folder: folder, slots: FileSlots())),
                settings: EnvironmentSettings(readers: 1), now: { Timestamp(milliseconds: 1_700_000_000_000) }))
    }

    /// Opens an environment for as long as `body` takes.
    func with<T>(
        _ container: Container, _ environment: ContainerEnvironment, _ body: (EnvironmentStore) async throws -> T
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
        try change(file, of: name) { text in
            try #require(text.contains(old), "\(text)")
            return text.replacing(old, with: new)
        }
    }

    /// - Parameter edit: makes the new text of the old.
    func change(_ file: String, of name: String, edit: (String) throws -> String) throws {
        let path = folder(name).path(file)
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        try Data(edit(text).utf8).write(to: URL(filePath: path))
    }

    /// Expects two exports to have the same in all files but the manifest, which names the container.
    func expectSame(_ one: String, _ two: String) throws {
        var (one, two) = (try files(one), try files(two))
        one[ExportFolder.manifest] = nil
        two[ExportFolder.manifest] = nil
        #expect(one.keys.sorted() == two.keys.sorted())
        for (name, data) in one {
            #expect(two[name] == data, "\(name): \(String(decoding: two[name] ?? Data(), as: UTF8.self))")
        }
    }

    /// The names of what is beside the environments of a container.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: data.path + "/containers").filter {
            $0.contains("import") || $0.contains("clone")
        }
    }
}
