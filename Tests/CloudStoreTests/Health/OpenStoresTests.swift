import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import TestStore
import Testing

@testable import CloudStore

/// Stores are opened when they are asked for, and closed when nobody uses them.
@Suite(.timeLimit(.minutes(20)))
struct OpenStoresTests {
    private let fixture = Result { try AccountFixture() }

    private func stores(_ mostOpen: Int) throws -> (ContainerStores, AccountStore) {
        let accounts = try fixture.get().open()
        return (
            ContainerStores(
                folder: try fixture.get().folder, accounts: accounts, previews: nil, mostOpen: mostOpen), accounts
        )
    }

    @Test("Open stores are limited, and closing loses no data")
    func bound() async throws {
        let (stores, accounts) = try stores(3)
        var containers: [Container] = []
        for number in 0..<12 { containers.append(try await accounts.containers.create(name: "c\(number)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<5 {
                for container in containers {
                    group.addTask {
                        while true {
                            // Who waited too long for its turn is told to come again.
                            do {
                                let store = try await stores.store(container: container, environment: .development)
                                #expect(try await store.save("r\(round)") == nil)
                                return #expect(stores.openCount <= 3)
                            } catch let error as ServerError where error.code == .tryAgainLater { continue }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for container in containers {
            let store = try await stores.store(container: container, environment: .development)
            for round in 0..<5 { #expect(try await store.save("r\(round)") == .conflict) }
        }
        try await stores.close()
    }

    @Test("A held store stays open, whatever other callers open")
    func held() async throws {
        let (stores, accounts) = try stores(2)
        let first = try await accounts.containers.create(name: "first")
        let held = try await stores.store(container: first, environment: .development)
        for number in 0..<5 {
            let other = try await accounts.containers.create(name: "c\(number)")
            #expect(try await stores.store(container: other, environment: .development).save("a") == nil)
        }
        #expect(try await held.save("a") == nil)
        let again = try await stores.store(container: first, environment: .development)
        #expect(again.stored === held.stored)
        try await stores.close()
    }

    @Test("Idle stores are closed, and reopened when they are needed")
    func idle() async throws {
        let (stores, accounts) = try stores(10)
        var containers: [Container] = []
        for number in 0..<4 { containers.append(try await accounts.containers.create(name: "c\(number)")) }
        for container in containers {
            #expect(try await stores.store(container: container, environment: .production).save("a") == nil)
        }
        let held = try await stores.store(container: containers[0], environment: .production)
        try await stores.tidy(idleTime: .seconds(3600))
        #expect(stores.openCount == 4)
        while stores.openCount > 1 {
            try await stores.tidy(idleTime: .zero)
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(try await held.save("a") == .conflict)
        #expect(
            try await stores.store(container: containers[1], environment: .production).save("a") == .conflict)
        try await stores.close()
    }

    @Test("A deleted container's stores are closed and not created again")
    func deleted() async throws {
        let (stores, accounts) = try stores(10)
        let container = try await accounts.containers.create(name: "c")
        #expect(try await stores.store(container: container, environment: .production).save("a") == nil)
        _ = try await accounts.containers.delete(name: "c")
        while stores.openCount > 0 {
            try await stores.tidy(idleTime: .seconds(3600))
            try await Task.sleep(for: .milliseconds(1))
        }
        let error = await #expect(throws: ServerError.self) {
            _ = try await stores.store(container: container, environment: .production)
        }
        #expect(error?.code == .notFound)
        try await stores.close()
    }

    @Test("A job opens an environment once, and again only when due or after use")
    func chores() async throws {
        let (stores, accounts) = try stores(10)
        let container = try await accounts.containers.create(name: "c")
        // As a server finds it after its start.
        let before = ContainerStores(folder: try fixture.get().folder, accounts: accounts, previews: nil)
        #expect(try await before.store(container: container, environment: .production).save("a") == nil)
        try await before.close()
        func visits(now: Int64, next: Int64?) async throws -> Int {
            var count = 0
            try await stores.forEach(
                .expiredPages, now: Timestamp(milliseconds: now),
                onFailure: { _, _, error in Issue.record("\(error)") },
                { _, _ in
                    count += 1
                    return next.map(Timestamp.init(milliseconds:))
                })
            return count
        }
        #expect(try await visits(now: 0, next: 100) == 1)
        #expect(try await visits(now: 99, next: 100) == 0)
        #expect(try await visits(now: 100, next: nil) == 1)
        #expect(try await visits(now: 1_000_000, next: nil) == 0)
        _ = try await stores.store(container: container, environment: .production)
        #expect(try await visits(now: 1_000_001, next: nil) == 1)
        try await stores.close()
    }

    @Test("A schema change interrupted by closing its store is resumed")
    func unfinished() async throws {
        let folder = try fixture.get().folder
        let gate = AsyncStream.makeStream(of: Void.self)
        let open = OpenStores(most: 1) { _, error in Issue.record("\(error)") }
        let (first, second) = (
            OpenStores.Key(container: 1, environment: .development),
            OpenStores.Key(container: 2, environment: .development)
        )
        @Sendable func opening(_ key: OpenStores.Key, stuck: Bool) throws -> StoredEnvironment {
            var pace = BuildPace()
            // Work that has begun and does not end until it is cancelled.
            if stuck { pace.pause = { for await _ in gate.stream { return } } }
            return try StoredEnvironment(
                EnvironmentIdentity(
                    path: folder.recordsFile(container: key.container, environment: key.environment), container: "c",
                    environment: key.environment, routingKey: "abc"),
                engine: folder.engine,
                files: EnvironmentFiles(assets: FileAssetStore(folder: folder.path + "/assets")),
                settings: EnvironmentSettings(pace: pace), now: folder.now)
        }
        #expect(try await open.store(first) { try opening(first, stuck: true) }.work.isWorking)
        _ = try await open.store(second) { try opening(second, stuck: false) }
        #expect(open.current(first) == nil)
        #expect(open.unfinished().isEmpty)
        await open.current(second)?.work.finished()
        while open.count > 0 {
            open.closeUnused(for: .zero)
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(open.unfinished() == [first])
        #expect(open.unfinished().isEmpty)
        try await open.closeAll()
    }
}
