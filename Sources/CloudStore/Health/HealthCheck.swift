package import CloudModel
import Foundation
import CloudSQL

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

    private var health: (found: [Trouble], at: ContinuousClock.Instant)?
    private var readiness: (found: [Trouble], at: ContinuousClock.Instant)?
    private var probing: Task<[Trouble], Never>?
    private var isWriting = false

    /// The time an answer is good for.
    private static let (healthLasts, readinessLasts) = (Duration.seconds(1), Duration.seconds(1))
    /// The time a write may take.
    private static let longestWrite = Duration.seconds(5)

    package init(folder: DataFolder, accounts: AccountStore, stores: ContainerStores, limits: Limits) {
        self.folder = folder
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
    }

    /// Finds the troubles, by looking at files and at what requests have met. Looks once a second at most.
    package func troubles() async -> [Trouble] {
        if let health, health.at.duration(to: .now) < Self.healthLasts { return health.found }
        let found = await look()
        health = (found, .now)
        return found
    }

    /// The same, and what a write meets. One is made once a second at most; others wait for it.
    package func readinessTroubles() async -> [Trouble] {
        if let readiness, readiness.at.duration(to: .now) < Self.readinessLasts { return readiness.found }
        let probe = probing ?? Task { await troubles() + write() }
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
        do {
            for (container, environment, fault) in stores.faults(of: try await accounts.madeEnvironments()) {
                found.append(
                    Trouble(
                        kind: fault.kind, container: container.name, environment: environment,
                        reason: "\(environment.rawValue) of \(container.name) \(fault.reason)"))
            }
        } catch {
            found.append(server(.accounts, "\(folder.accountsName) cannot be read: \(Self.words(error))"))
        }
        return found
    }

    private func write() async -> [Trouble] {
        let fault = isWriting ? "an earlier write has not ended" : await writeInTime()
        return fault.map { [server(.notWritable, "nothing can be written to \(folder.path): \($0)")] } ?? []
    }

    /// A disk that hangs does not keep whoever asks.
    private func writeInTime() async -> String? {
        isWriting = true
        let (outcomes, source) = AsyncStream<String?>.makeStream()
        Task {
            do {
                try await accounts.probeWrite()
                source.yield(nil)
            } catch { source.yield(Self.words(error)) }
            isWriting = false
        }
        let timer = Task {
            try await Task.sleep(for: Self.longestWrite)
            source.yield("a write takes longer than \(Self.longestWrite.components.seconds) seconds")
        }
        defer { timer.cancel() }
        return await outcomes.first { _ in true } ?? nil
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
