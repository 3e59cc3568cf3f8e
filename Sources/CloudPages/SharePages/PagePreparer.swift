import CloudAccounts
import CloudModel
import CloudStore
package import Logging
import ServiceLifecycle

/// Has the cover and the first tiles of pages made when something is shared or added, before anybody asks for them.
///
/// Each server prepares what was written by its own requests. A preparation that is lost, as by a restart, is made up for
/// by the first request.
package struct PagePreparer: Service {
    package let site: Site
    package let logger: Logger
    private let preparation = PagePreparation()

    package init(site: Site, logger: Logger) {
        (self.site, self.logger) = (site, logger)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await entry in site.stores.pageNews.entries {
                    do {
                        for (page, owner) in try await pages(entry) { begin(page, owner, entry, in: &group) }
                    } catch {
                        logger.debug("pages could not be prepared", metadata: ["error": "\(error)"])
                    }
                }
            }
        }
    }

    private func pages(_ entry: PageNews.Entry) async throws -> [(page: ChangedPages.Page, owner: String)] {
        guard site.stores.previews?.preparesAhead == true, let store = try await store(entry) else { return [] }
        let rules = try await site.accounts.pageRules.list(container: entry.container.name).map(\.rule)
        return try await ChangedPages(store: store, rules: rules, limits: site.limits).find(entry.changes)
    }

    private func store(_ entry: PageNews.Entry) async throws -> EnvironmentStore? {
        try await site.stores.existing(container: entry.container, environment: entry.environment)
    }

    private func begin(
        _ page: ChangedPages.Page, _ owner: String, _ entry: PageNews.Entry, in group: inout DiscardingTaskGroup
    ) {
        let key = PagePreparation.Key(
            container: entry.container.id, environment: entry.environment, page: page)
        let owner = "\(entry.container.id) \(owner)"
        guard preparation.begins(key, of: owner) else { return }
        group.addTask(priority: .low) {
            await preparation.run(key, of: owner) { turn in
                guard let beginning = try await turn({ try await beginning(page, entry) }) else { return }
                for picture in beginning.pictures {
                    try await turn {
                        // Opened anew for each, so that it may be closed meanwhile.
                        _ = try await store(entry)?.assets.preview(
                            of: picture.asset, picture.size, as: .avif, isAhead: true)
                    }
                }
            }
        }
    }

    private func beginning(_ page: ChangedPages.Page, _ entry: PageNews.Entry) async throws -> PageBeginning? {
        switch page {
        case .published(let name):
            return try await PageFinder(site: site).read(name, session: nil) { page in
                if let link = page.link, !link.isOpen(at: site.time) { return nil }
                return try await PageBeginning(page, orders: site.pageOrders, limits: site.limits)
            } ?? nil
        case .share(let guid):
            guard let store = try await store(entry), let share = try await store.sharePages.share(guid) else {
                return nil
            }
            return try await .find(
                share, of: entry.container, entry.environment, in: store, now: site.time, orders: site.pageOrders,
                limits: site.limits)
        }
    }
}
