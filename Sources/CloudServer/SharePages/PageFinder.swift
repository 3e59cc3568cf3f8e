import CloudModel
import CloudStore

/// Finds what an id stands for: a share by its short GUID, else a public record that a page rule is about.
struct PageFinder: Sendable {
    let site: Site

    /// Runs `body` on the page of an id, within the snapshot of the store that the page was found in.
    ///
    /// - Returns: nil when there is nothing, and when the visitor may not know that there is.
    /// - Throws: `SharePageRefusal` when it takes something of the visitor first; what `body` throws.
    func read<T: Sendable>(
        _ id: String, session: BrowserSession?, _ body: @escaping @Sendable (SharedPage) async throws -> T
    ) async throws -> T? {
        guard Naming.fault(recordName: id, limit: site.configuration.limits.recordNameCharacters) == nil else {
            return nil
        }
        if let found = try await SharedTreeFinder(site: site).read(id, session: session, body) { return found }
        guard let page = try await published(id, session: session) else { return nil }
        return try await page.store.inOneSnapshot { try await body(page) }
    }

    /// The oldest such record: whoever saw it and made one of its name in another container does not take its place.
    private func published(_ id: String, session: BrowserSession?) async throws -> SharedPage? {
        var oldest: (page: SharedPage, created: Timestamp)?
        for (container, rules) in try await rules() {
            guard let (page, created) = try await published(id, in: container, rules, session: session) else {
                continue
            }
            if oldest.map({ created < $0.created }) ?? true { oldest = (page, created) }
        }
        return oldest?.page
    }

    /// A container's production comes before its development.
    private func published(
        _ id: String, in container: Container, _ rules: [PageRule], session: BrowserSession?
    ) async throws -> (page: SharedPage, created: Timestamp)? {
        for environment in [ContainerEnvironment.production, .development] {
            guard let store = try await site.stores.existing(container: container, environment: environment),
                let record = try await PublishedRecords.find(id, in: store),
                let rule = rules.first(where: { $0.recordType == record.recordType })
            else { continue }
            let person = try await session?.person(in: container, accounts: site.accounts)
            let page = SharedPage(
                id: id, container: container, environment: environment, store: store,
                kind: .published(record, rule), owner: record.creator,
                link: try await store.link(id, owner: record.creator),
                visitor: Visitor(person: person, isOwner: person?.userRecordName == record.creator))
            return (page, record.created)
        }
        return nil
    }

    private func rules() async throws -> [(Container, [PageRule])] {
        var rules: [(Container, [PageRule])] = []
        for found in try await site.accounts.pageRules() {
            if rules.last?.0.id == found.container.id {
                rules[rules.count - 1].1.append(found.rule)
            } else {
                rules.append((found.container, [found.rule]))
            }
        }
        return rules
    }
}
