package import CloudModel
import Foundation
import CloudSQL
import Synchronization

/// A fault that an operator has to see to.
package struct Trouble: Hashable, Sendable {
    package let kind: StoreFault.Kind
    /// Nil for what is about the whole server.
    package let container: String?
    package let environment: ContainerEnvironment?
    /// A sentence.
    package let reason: String
}

/// Finds out how a server and its databases are, for whoever asks as often as they like.
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
    /// The question to the databases that has no answer yet, and when it was asked.
    private var asking: (Task<[Trouble], Never>, ContinuousClock.Instant)?

    /// The time an answer is good for.
    private static let (healthLasts, readinessLasts) = (Duration.seconds(1), Duration.seconds(1))
    /// The time a write may take.
    private static let longestWrite = Duration.seconds(5)
    /// The time that the place of assets has when the server starts.
    private static let longestTrial = Duration.seconds(30)
    /// The time that databases and the place of assets have to answer.
    private static let longestAnswer = Duration.milliseconds(1_500)

    package init(folder: DataFolder, accounts: AccountStore, stores: ContainerStores, limits: Limits) {
        self.folder = folder
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        assets = AssetWatch(folder.assets)
    }

    /// Finds the troubles, by looking at files and at what requests have met. Looks once a second at most.
    package func troubles() async -> [Trouble] {
        if let found = recentTroubles { return found }
        let found = await look()
        health.withLock { $0 = (found, .now) }
        return found
    }

    /// The troubles that were found within the last second; nil where somebody has to look.
    package nonisolated var recentTroubles: [Trouble]? {
        health.withLock { health in
            guard let health, health.at.duration(to: .now) < Self.healthLasts else { return nil }
            return health.found
        }
    }

    /// The same, and what a write meets. One is made once a second at most; others wait for it.
    package func readinessTroubles() async -> [Trouble] {
        if let readiness, readiness.at.duration(to: .now) < Self.readinessLasts { return readiness.found }
        let probe =
            probing
            ?? Task {
                let found = await troubles().filter { $0.kind != .assets }
                async let assets = assetTroubles(byUse: true, within: Self.longestWrite)
                // A write to what does not answer would wait as well.
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
        if let free = folder.freeBytes, free < Int64(limits.freeBytes) {
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

    /// What a write, a read and a deletion say against the place of assets, however long they take; nil for nothing.
    package func assetTrouble() async -> Trouble? { await assetTroubles(byUse: true, within: Self.longestTrial).first }

    private func assetTroubles(byUse: Bool, within time: Duration = longestAnswer) async -> [Trouble] {
        let fault = await assets.fault(byUse: byUse, within: time)
        return fault.map { [server(.assets, $0)] } ?? []
    }

    /// What the databases say, if they do so in time; a question that has no answer yet is not asked again.
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
            return try await stores.faults(of: try await accounts.madeEnvironments()).map {
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

    /// A disk that hangs does not keep whoever asks.
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
    /// Bytes left on its disk for this program; nil when the system does not say.
    package var freeBytes: Int64? { disk?.free }

    /// The same, and all bytes of the disk.
    package var disk: (free: Int64, whole: Int64)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let size = UInt64(status.f_frsize)
        return (
            Int64(clamping: UInt64(status.f_bavail) * size), Int64(clamping: UInt64(status.f_blocks) * size)
        )
    }
}
