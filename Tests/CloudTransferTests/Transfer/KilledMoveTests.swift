import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// Whatever step a kill comes after: nothing is lost, and the next attempt brings what one without a kill would have.
struct KilledMoveTests {
    let here: MovingFixture
    let source: Container

    init() async throws {
        here = try MovingFixture()
        source = try await here.accounts.containers.create(name: "source")
        try await here.with(source, .production) { try await MovingWorld.fill($0) }
        for name in ["_alice", "_bob"] { try await here.know(name, in: source) }
        try await here.export(source, to: "one")
    }

    @Test(
        "An interrupted export continues where it was",
        .enabled(if: !ChosenEngine.isPostgres, "copies the files at each step"))
    func resumedExport() async throws {
        let moments = Moments(of: here)
        var export = EnvironmentExport(
            of: source, .production, in: here.data, accounts: here.accounts, to: here.folder("two"))
        export.reached = moments.take
        _ = try await export.run()
        #expect(moments.steps.starts(with: [.copy, .manifest, .assets]))
        #expect(moments.steps.suffix(2) == [.complete, .end])
        for (step, left) in moments.all {
            // What is written meanwhile is not in it, unless it has not really begun.
            if step != .copy { try await left.with(source, .production) { try await $0.makeZone(.later) } }
            do { try await left.export(source, to: "two") } catch let fault as TransferFault {
                #expect(step == .end, "\(step): \(fault)")
                #expect(fault.description.contains("is a complete export of production of source already"))
            }
            try left.expectSame("one", "two")
        }
    }

    @Test(
        "An export killed during its cleanup can be repeated",
        .enabled(if: !ChosenEngine.isPostgres, "copies the files at each step"))
    func lastStep() async throws {
        let moments = Moments(of: here)
        var export = EnvironmentExport(
            of: source, .production, in: here.data, accounts: here.accounts, to: here.folder("two"))
        export.reached = moments.take
        _ = try await export.run()
        let left = try #require(moments.all.first { $0.0 == .complete }).1
        let folder = left.folder("two")
        try FileManager.default.removeItem(atPath: folder.path(ExportFolder.snapshot))
        await #expect(throws: TransferFault.self, "another environment's") {
            try await left.export(source, .development, to: "two")
        }
        let manifest = try await left.export(source, to: "two")
        #expect(manifest.isComplete)
        #expect(!folder.has(ExportFolder.lock))
    }

    @Test(
        "An interrupted import continues after a server has run",
        .enabled(if: !ChosenEngine.isPostgres, "copies the files at each step"))
    func importing() async throws {
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: source.name)
        let moments = Moments(of: there)
        var taking = try EnvironmentImport(
            of: there.folder("one"), into: target, .production, in: there.data, accounts: there.accounts)
        taking.reached = moments.take
        _ = try await taking.run()
        #expect(moments.steps.suffix(3) == [.whole, .place, .end])
        for (step, left) in moments.all {
            // Whoever opens an environment before an import has come to it gives it other handles.
            if step != .users { try await serve(left, target, .production) }
            do { try await left.take("one", into: target) } catch let fault as TransferFault {
                #expect(step == .end, "\(step): \(fault)")
            }
            try await serve(left, target, .production)
            #expect(try await left.export(target, to: "two").missingAssets == [], "\(step)")
            try left.expectSame("one", "two")
            #expect(try left.leftovers() == [], "\(step)")
        }
    }

    @Test(
        "A killed clone leaves development either unchanged or as the whole copy",
        .enabled(if: !ChosenEngine.isPostgres, "copies the files at each step"))
    func killedClone() async throws {
        let open = try await here.open(source, .development)
        let asset = try await open.assets.upload("a draft")
        try await open.makeZone()
        _ = try await open.modify([operation(.create, "draft", fields: assetField(asset))])
        // Ended without being closed, a server leaves what it has acknowledged in the log.
        let crashed = try here.killed()
        try await open.close()
        let moments = Moments(of: crashed)
        var clone = EnvironmentClone(of: source, in: crashed.data, accounts: crashed.accounts)
        clone.reached = moments.take
        _ = try await clone.run()
        let place = try #require(moments.steps.firstIndex(of: .place))
        for (index, (step, left)) in moments.all.enumerated() {
            try await serve(left, source, .development)
            try await left.with(source, .development) { (store) async throws in
                #expect(try await store.exists("draft") == (index < place), "\(step)")
                #expect(try await store.exists("first") == (index >= place), "\(step)")
                if index < place { #expect(try await store.text(of: asset.key) == "a draft", "\(step)") }
            }
            _ = try await EnvironmentClone(of: source, in: left.data, accounts: left.accounts).run()
            try await serve(left, source, .development)
            #expect(try await left.export(source, .development, to: "two").missingAssets == [])
            #expect(try left.files("two").filter { $0.key.hasPrefix("assets/") }.count == 2)
            #expect(try left.leftovers() == [], "\(step)")
            #expect(try left.assetFolders() == 2, "\(step)")
        }
    }

    @Test("A clone that fails leaves nothing behind") func failedClone() async throws {
        try await here.with(source, .production) { (store) async throws in
            _ = try await store.stored.writes.write(for: nil) { try $0.db.run("UPDATE zones SET position = 0") }
        }
        let fault = await #expect(throws: TransferFault.self) {
            try await EnvironmentClone(of: source, in: here.data, accounts: here.accounts).run()
        }
        #expect(fault?.description.contains("is before that of a change in it") == true)
        #expect(try here.leftovers() == [])
    }

    /// A server is started, somebody looks, what nothing refers to is collected, the server is stopped.
    private func serve(
        _ fixture: MovingFixture, _ container: Container, _ environment: ContainerEnvironment
    ) async throws {
        let stores = ContainerStores(folder: fixture.data, accounts: fixture.accounts, previews: nil)
        let store = try await stores.store(container: container, environment: environment)
        _ = try await store.zones.list(owner: "_alice")
        _ = try await store.assets.collect()
        try await store.assets.sweep()
        try await stores.close()
    }
}

/// Copies of the files as a kill would leave them at each step.
private final class Moments: Sendable {
    private let fixture: MovingFixture
    private let taken = Mutex<[(TransferStep, MovingFixture)]>([])

    init(of fixture: MovingFixture) { self.fixture = fixture }

    var all: [(TransferStep, MovingFixture)] { taken.withLock { $0 } }
    var steps: [TransferStep] { all.map(\.0) }

    @Sendable func take(_ step: TransferStep) {
        do {
            let left = try fixture.killed()
            taken.withLock { $0.append((step, left)) }
        } catch { Issue.record(error) }
    }
}

extension MovingFixture {
    /// The number of folders of assets.
    fileprivate func assetFolders() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: data.path + "/containers").count {
            $0.hasSuffix("-assets")
        }
    }
}

extension ZoneID {
    fileprivate static let later = ZoneID(name: "Later", owner: "_alice")
}
