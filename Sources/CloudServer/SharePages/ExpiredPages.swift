import CloudModel
import CloudStore
import Foundation
import Logging
import ServiceLifecycle

/// Deletes what is behind pages that have expired, where their owners asked for that.
///
/// Of a public page its record and items go; a share stops being shared, and what was shared stays its owner's.
struct ExpiredPages: Service {
    let site: Site
    /// From one time to the next.
    let interval: Duration
    let logger: Logger
    /// A jump of it has the work done at once.
    let clock: SettableClock

    private static let atOnce = 1000

    func run() async throws {
        let job = PeriodicJob(every: interval, failure: Self.failure, logger: logger, clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await sweep() } }
    }

    private static let failure = "expired pages could not be deleted"

    /// Deletes all that is due by now; what fails is tried again the next time.
    func sweep() async throws {
        let now = site.time
        try await site.stores.forEach(.expiredPages, now: now, onFailure: failed) { container, store in
            try await sweep(store, container)
            return try await store.firstDueLink()
        }
    }

    private func failed(_ container: Container, _ environment: ContainerEnvironment, _ error: any Error) {
        logger.warning(
            "\(Self.failure)",
            metadata: [
                "container": "\(container.name)", "environment": "\(environment.rawValue)", "error": "\(error)",
            ])
    }

    private func sweep(_ store: any EnvironmentStore, _ container: Container) async throws {
        let now = site.time
        let rules = try await site.accounts.pageRules(container: container.name).map(\.rule)
        var kept = 0
        while true {
            let due = try await store.dueLinks(at: now, skipping: kept, limit: Self.atOnce)
            for link in due {
                if await isCleared(link, rules, store) {
                    try await store.deleteLink(link.id, owner: link.owner)
                } else {
                    kept += 1
                }
            }
            if due.count < Self.atOnce { return }
        }
    }

    /// Deletes what is behind a link.
    ///
    /// - Returns: false when it is still there. The link has to stay then, or the page would be open again.
    private func isCleared(_ link: PageSettings, _ rules: [PageRule], _ store: any EnvironmentStore) async -> Bool {
        let limits = site.configuration.limits
        do {
            if let record = try await record(of: link, store) {
                guard let rule = rules.first(where: { $0.recordType == record.recordType }) else { return false }
                try await delete(
                    PublishedRecords(store: store, rule: rule, root: record, limits: limits), owner: link.owner)
                return try await self.record(of: link, store) == nil
            }
            if let share = try await store.ownShare(link.id), share.owner == link.owner {
                try await store.endShare(link.id, as: Person(userRecordName: link.owner), limits: limits)
            }
            return true
        } catch {
            logger.warning("an expired page could not be deleted", metadata: ["error": "\(error)"])
            return false
        }
    }

    private func record(of link: PageSettings, _ store: any EnvironmentStore) async throws -> PageRecord? {
        guard let record = try await PublishedRecords.find(link.id, in: store), record.creator == link.owner else {
            return nil
        }
        return record
    }

    /// The items first, so that a page that was half deleted is found again.
    private func delete(_ page: PublishedRecords, owner: String) async throws {
        var marker: String?
        var names: [String] = []
        repeat {
            let (items, next) = try await page.items(after: marker, limit: page.limits.recordsPerResponse)
            names += items.filter { $0.creator == owner }.map(\.recordName)
            marker = next
        } while marker != nil
        names.append(page.root.recordName)
        while !names.isEmpty {
            try await page.store.delete(
                Array(names.prefix(page.limits.operationsPerRequest)), owner: owner, limits: page.limits)
            names.removeFirst(min(names.count, page.limits.operationsPerRequest))
        }
    }
}

extension EnvironmentStore {
    /// Deletes public records in the name of their creator.
    fileprivate func delete(_ names: [String], owner: String, limits: Limits) async throws {
        _ = try await modify(
            ModifyRequest(
                zone: ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner),
                operations: names.map { .success(.deletion(of: $0)) }, atomic: false,
                caller: .user(recordName: owner), growsSchema: false, limits: limits))
    }
}
