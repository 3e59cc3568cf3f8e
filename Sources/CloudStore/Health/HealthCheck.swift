package import CloudAccounts
package import CloudEngine
package import CloudModel
import Foundation
import CloudSQL
import Synchronization

/// A fault for an operator to fix.
package struct Trouble: Hashable, Sendable {
    package let kind: StoreFault.Kind
    /// Nil for the whole server.
    package let container: String?
    package let environment: ContainerEnvironment?
    /// A sentence.
    package let reason: String
}

/// Checks a server and its databases; results are cached, so that frequent callers cost little.
package actor HealthCheck {
    private let folder: DataFolder
    private let accounts: AccountStore
    private let stores: ContainerStores
    private let limits: Limits
    private let assets: AssetWatch

    private let health = Mutex<(found: [Trouble], at: ContinuousClock.Instant)?>(nil)
    private var readiness: (found: [Trouble], at: ContinuousClock.Instant)?
    private var probing: Task<[Trouble], Never>?
    private var isWriting = false
    /// The running check of the databases, with its start.
    private var asking: (Task<[Trouble], Never>, ContinuousClock.Instant)?

    /// How long results are cached.
    private static let (healthLasts, readinessLasts) = (Duration.seconds(1), Duration.seconds(1))
    /// The time limit for a test write.
    private static let longestWrite = Duration.seconds(5)
    /// The time limit for testing the location of assets at the server's start.
    private static let longestTrial = Duration.seconds(30)
    /// The time limit for databases and the location of assets to answer.
    private static let longestAnswer = Duration.milliseconds(1_500)

    package init(folder: DataFolder, accounts: AccountStore, stores: ContainerStores, limits: Limits) {
        self.folder = folder
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        assets = AssetWatch(folder.assets)
    }

    /// Current faults, from files and from failures of requests. Checks at most once a second.
    package func troubles() async -> [Trouble] {
        if let found = recentTroubles { return found }
        let found = await look()
        health.withLock { $0 = (found, .now) }
        return found
    }

    /// Faults found within the last second; nil if a new check is due.
    package nonisolated var recentTroubles: [Trouble]? {
        health.withLock { health in
            guard let health, health.at.duration(to: .now) < Self.healthLasts else { return nil }
            return health.found
        }
    }

    /// Current faults, including those of a test write. Tests at most once a second; concurrent callers share a test.
    package func readinessTroubles() async -> [Trouble] {
        if let readiness, readiness.at.duration(to: .now) < Self.readinessLasts { return readiness.found }
        let probe =
            probing
            ?? Task {
                let found = await troubles().filter { $0.kind != .assets }
                async let assets = assetTroubles(byUse: true, within: Self.longestWrite)
                // A test write to an unresponsive database would hang as well.
                let writing = found.contains { $0.kind == .database } ? [] : await write()
                return await found + writing + assets
            }
        probing = probe
        let found = await probe.value
        readiness = (found, .now)
        probing = nil
        return found
    }

    private func look() async -> [Trouble] {
        var found: [Trouble] = []
        if FileIdentity(path: folder.containersFolder) == nil {
            found.append(server(.folderMissing, "the data folder \(folder.path) or its containers are missing"))
        }
        if let fault = accounts.fault() { found.append(server(.accounts, "\(folder.accountsName) \(fault.reason)")) }
        if let excess = ContainerStores.excess(accounts.logBytes, limits) {
            found.append(server(.logTooLarge, "\(folder.accountsName) \(excess.reason)"))
        }
        if let free = folder.disk?.free, free < Int64(limits.freeBytes) {
            found.append(
                server(
                    .diskFull,
                    "the disk of \(folder.path) has \(free) bytes left, fewer than \(limits.freeBytes) "
                        + "(limit.freeBytes)"))
        }
        async let databases = databaseTroubles()
        async let assets = assetTroubles(byUse: false)
        return await found + databases + assets
    }

    /// The result of a test write, read and deletion at the location of assets, within 30 seconds; nil if usable.
    package func assetTrouble() async -> Trouble? { await assetTroubles(byUse: true, within: Self.longestTrial).first }

    private func assetTroubles(byUse: Bool, within time: Duration = longestAnswer) async -> [Trouble] {
        let fault = await assets.fault(byUse: byUse, within: time)
        return fault.map { [server(.assets, $0)] } ?? []
    }

    /// Faults of the databases, within the time limit; callers share a running check.
    private func databaseTroubles() async -> [Trouble] {
        let (task, begin) = asking ?? (Task { await askDatabases() }, .now)
        asking = (task, begin)
        let left = Self.longestAnswer - begin.duration(to: .now)
        if left > .zero, let found = await value(of: task, within: left) { return found }
        return [
            server(.database, "\(folder.accountsName) has not answered for \(begin.duration(to: .now).inSeconds)")
        ]
    }

    private func askDatabases() async -> [Trouble] {
        defer { asking = nil }
        do {
            return try await stores.faults(of: try await accounts.environments.made()).map {
                container, environment, fault in
                Trouble(
                    kind: fault.kind, container: container.name, environment: environment,
                    reason: "\(environment.rawValue) of \(container.name) \(fault.reason)")
            }
        } catch let error as ServerError where error.code == .tryAgainLater {
            return [server(.database, "\(folder.accountsName) cannot be read: \(Self.words(error))")]
        } catch {
            return [server(.accounts, "\(folder.accountsName) cannot be read: \(Self.words(error))")]
        }
    }

    private func write() async -> [Trouble] {
        let fault = isWriting ? "an earlier write has not ended" : await writeInTime()
        return fault.map { [server(.notWritable, "nothing can be written to \(folder.path): \($0)")] } ?? []
    }

    /// Writes with a time limit, because a disk may hang.
    private func writeInTime() async -> String? {
        isWriting = true
        let task = Task { () -> String? in
            defer { isWriting = false }
            do {
                try await accounts.probeWrite()
                return nil
            } catch { return Self.words(error) }
        }
        return await value(of: task, within: Self.longestWrite)
            ?? "a write takes longer than \(Self.longestWrite.components.seconds) seconds"
    }

    private func server(_ kind: StoreFault.Kind, _ reason: String) -> Trouble {
        Trouble(kind: kind, container: nil, environment: nil, reason: reason)
    }

    private static func words(_ error: any Error) -> String {
        (error as? SQLError)?.message ?? (error as? ServerError)?.reason ?? error.localizedDescription
    }
}

extension DataFolder {
    /// Bytes available to this program and total bytes of the data folder's disk; nil if unknown.
    package var disk: (free: Int64, whole: Int64)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let size = UInt64(status.f_frsize)
        return (
            Int64(clamping: UInt64(status.f_bavail) * size), Int64(clamping: UInt64(status.f_blocks) * size)
        )
    }
}
