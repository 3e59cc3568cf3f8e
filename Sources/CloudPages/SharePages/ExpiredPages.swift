import CloudAccounts
import CloudHTTP
package import CloudModel
import CloudStore
import Foundation
package import Logging
import ServiceLifecycle

/// Deletes the content of expired pages whose owners chose so.
///
/// Deletes the record and items of a public page. Ends a share; its owner keeps the shared records.
package struct ExpiredPages: Service {
    package let site: Site
    /// Time between runs.
    package let interval: Duration
    package let logger: Logger
    /// A jump of the test clock triggers a run immediately.
    package let clock: SettableClock

    package init(site: Site, interval: Duration, logger: Logger, clock: SettableClock) {
        self.site = site
        self.interval = interval
        self.logger = logger
        self.clock = clock
    }

    private static let atOnce = 1000

    package func run() async throws {
        let job = PeriodicJob(every: interval, failure: Self.failure, logger: logger, clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await sweep() } }
    }

    private static let failure = "expired pages could not be deleted"

    /// Deletes everything due; the next run retries failures.
    func sweep() async throws {
        let now = site.time
        try await site.stores.forEach(.expiredPages, now: now, onFailure: failed) { container, store in
            try await sweep(store, container)
            return try await store.pageSettings.firstDue()
        }
    }

    private func failed(_ container: Container, _ environment: ContainerEnvironment, _ error: any Error) {
        logger.warning(
            "\(Self.failure)",
            metadata: [
                "container": "\(container.name)", "environment": "\(environment.rawValue)", "error": "\(error)",
            ])
    }

    private func sweep(_ store: EnvironmentStore, _ container: Container) async throws {
        let now = site.time
        let rules = try await site.accounts.pageRules.list(container: container.name).map(\.rule)
        var kept = 0
        while true {
            let due = try await store.pageSettings.due(at: now, skipping: kept, limit: Self.atOnce)
            for link in due {
                if await isCleared(link, rules, store) {
                    try await store.pageSettings.delete(link.id, owner: link.owner)
                } else {
                    kept += 1
                }
            }
            if due.count < Self.atOnce { return }
        }
    }

    /// Deletes the content behind a link.
    ///
    /// - Returns: false if content remains. The link must then stay, since without it the page would open again.
    private func isCleared(_ link: PageSettings, _ rules: [PageRule], _ store: EnvironmentStore) async -> Bool {
        let limits = site.limits
        do {
            if let record = try await record(of: link, store) {
                guard let rule = rules.first(where: { $0.recordType == record.recordType }) else { return false }
                try await delete(
                    PublishedRecords(store: store, rule: rule, root: record, limits: limits), owner: link.owner)
                return try await self.record(of: link, store) == nil
            }
            if let share = try await store.sharePages.share(link.id), share.owner == link.owner {
                try await store.shares.end(link.id, as: Person(userRecordName: link.owner), limits: limits)
            }
            return true
        } catch {
            logger.warning("an expired page could not be deleted", metadata: ["error": "\(error)"])
            return false
        }
    }

    private func record(of link: PageSettings, _ store: EnvironmentStore) async throws -> PageRecord? {
        guard let record = try await PublishedRecords.find(link.id, in: store), record.creator == link.owner else {
            return nil
        }
        return record
    }

    /// Deletes items before the root record, by which the next run finds a half-deleted page.
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
            try await page.store.records.delete(
                Array(names.prefix(page.limits.operationsPerRequest)), owner: owner, limits: page.limits)
            names.removeFirst(min(names.count, page.limits.operationsPerRequest))
        }
    }
}

extension RecordStore {
    /// Deletes public records as their creator.
    fileprivate func delete(_ names: [String], owner: String, limits: Limits) async throws {
        _ = try await modify(
            ModifyRequest(
                zone: ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner),
                operations: names.map { .success(.deletion(of: $0)) }, atomic: false,
                caller: .user(recordName: owner), growsSchema: false, limits: limits))
    }
}
