import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// An environment that had a database has it, or is refused.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about files of SQLite"))
struct LostFileTests {
    private let fixture = Result { try AccountFixture() }

    private struct World {
        let accounts: AccountStore
        let container: Container
        let path: String
        let folder: DataFolder

        func stores() -> ContainerStores { ContainerStores(folder: folder, accounts: accounts, previews: nil) }

        /// Saves one record, in stores that are closed again.
        func fill() async throws {
            let stores = stores()
            let store = try await stores.store(container: container, environment: .production)
            #expect(try await store.save("a") == nil)
            try await stores.close()
        }
    }

    private func world() async throws -> World {
        let folder = try fixture.get().folder
        let accounts = try fixture.get().open()
        let container = try await accounts.containers.create(name: "c")
        return World(
            accounts: accounts, container: container,
            path: folder.recordsFile(container: container.id, environment: .production), folder: folder)
    }

    enum Loss: CaseIterable {
        case missing, empty, withoutTables
    }

    @Test("A missing or empty database is refused until it is back", arguments: Loss.allCases)
    func loss(loss: Loss) async throws {
        let world = try await world()
        try await world.fill()
        try FileManager.default.moveItem(atPath: world.path, toPath: world.path + ".kept")
        switch loss {
        case .missing: break
        case .empty: try Data().write(to: URL(filePath: world.path))
        case .withoutTables:
            let other = try SQLiteEngine().opener.openForWriting(world.path)
            try other.write { try $0.script("CREATE TABLE other (a)") }
            try other.close()
        }
        let stores = world.stores()
        let error = await #expect(throws: ServerError.self) {
            try await stores.store(container: world.container, environment: .production)
        }
        #expect(error?.code == .tryAgainLater)
        #expect(error?.reason.hasPrefix("production of c has") == true)
        await #expect(throws: ServerError.self) {
            _ = try await stores.existing(container: world.container, environment: .production)
        }
        let faults = try await stores.faults(of: try await world.accounts.environments.made())
        #expect(faults.map(\.fault.kind) == [loss == .missing ? .missing : .empty])

        try? FileManager.default.removeItem(atPath: world.path)
        try FileManager.default.moveItem(atPath: world.path + ".kept", toPath: world.path)
        let store = try await stores.store(container: world.container, environment: .production)
        #expect(try await store.save("a") == .conflict)
        #expect(try await stores.faults(of: try await world.accounts.environments.made()).isEmpty)
        try await stores.close()
    }

    @Test("An operator who accepts the loss starts with a new database")
    func acceptance() async throws {
        let world = try await world()
        await #expect(throws: ServerError.self) {
            try await world.accounts.environments.forgetData(of: world.container, .production, in: world.folder)
        }
        try await world.fill()
        let kept = await #expect(throws: ServerError.self) {
            try await world.accounts.environments.forgetData(of: world.container, .production, in: world.folder)
        }
        #expect(kept?.code == .conflict)
        try FileManager.default.removeItem(atPath: world.path)
        try Data("a log of another time".utf8).write(to: URL(filePath: world.path + "-wal"))
        try await world.accounts.environments.forgetData(of: world.container, .production, in: world.folder)
        #expect(!FileManager.default.fileExists(atPath: world.path + "-wal"))
        try await world.fill()
    }

    @Test("No write is acknowledged in a file that was deleted or replaced while open", arguments: [false, true])
    func unlinked(isReplaced: Bool) async throws {
        let world = try await world()
        let stores = world.stores()
        let store = try await stores.store(container: world.container, environment: .production)
        #expect(try await store.save("a") == nil)
        try FileManager.default.moveItem(atPath: world.path, toPath: world.path + ".kept")
        if isReplaced { try FileManager.default.copyItem(atPath: world.path + ".kept", toPath: world.path) }
        let error = await #expect(throws: ServerError.self) { try await store.save("b") }
        #expect(error?.code == .tryAgainLater)
        let faults = try await stores.faults(of: try await world.accounts.environments.made())
        #expect(faults.map(\.fault.kind) == [isReplaced ? .replaced : .missing])
        await #expect(throws: ServerError.self) {
            _ = try await stores.store(container: world.container, environment: .production)
        }

        try? FileManager.default.removeItem(atPath: world.path)
        try FileManager.default.moveItem(atPath: world.path + ".kept", toPath: world.path)
        let again = try await stores.store(container: world.container, environment: .production)
        #expect(try await again.save("b") == nil)
        try await stores.close()
    }

    @Test("A data folder with databases and without accounts is refused")
    func noAccounts() async throws {
        let world = try await world()
        try await world.fill()
        try world.accounts.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: world.folder.accountsFile + suffix)
        }
        let error = #expect(throws: DataFolderUnusable.self) { try AccountStore(folder: world.folder) }
        #expect(error?.description.contains("accounts.sqlite") == true)
    }

    @Test("Requests are refused once the accounts file is missing")
    func accountsUnlinked() async throws {
        let world = try await world()
        #expect(world.accounts.fault() == nil)
        try FileManager.default.moveItem(
            atPath: world.folder.accountsFile, toPath: world.folder.accountsFile + ".kept")
        let health = HealthCheck(
            folder: world.folder, accounts: world.accounts, stores: world.stores(), limits: Limits())
        #expect(Set(await health.troubles().map(\.kind)) == [.accounts])
        let error = await #expect(throws: ServerError.self) { try await world.accounts.reader() }
        #expect(error?.code == .tryAgainLater)
    }

    @Test("Health names a log that is too large and a disk that is nearly full")
    func bounds() async throws {
        let world = try await world()
        let stores = world.stores()
        let store = try await stores.store(container: world.container, environment: .production)
        #expect(try await store.save("a") == nil)
        var limits = Limits()
        limits.logBytes = 1
        limits.freeBytes = .max
        let tight = ContainerStores(
            folder: world.folder, accounts: world.accounts, previews: nil, limits: limits)
        _ = try await tight.store(container: world.container, environment: .production)
        let health = HealthCheck(folder: world.folder, accounts: world.accounts, stores: tight, limits: limits)
        let troubles = await health.troubles()
        #expect(Set(troubles.map(\.kind)) == [.logTooLarge, .diskFull])
        #expect(troubles.contains { $0.container == "c" && $0.environment == .production })
        try await tight.close()
        try await stores.close()
    }
}

extension EnvironmentStore {
    /// Creates a public record; answers why not.
    func save(_ name: String) async throws -> ServerError.Code? {
        try await modify([operation(.create, name)], zone: .world).error()?.code
    }
}
