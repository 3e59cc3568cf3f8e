import CloudAccounts
import CloudModel
import CloudStore

/// Resolves a page ID: a share's short GUID, or the name of a public record with a page rule.
struct PageFinder: Sendable {
    let site: Site

    /// Runs `body` on the page with this ID, in the snapshot in which it was found.
    ///
    /// - Returns: nil for a missing page, or a page hidden from the visitor.
    /// - Throws: `SharePageRefusal` for a closed share, or before sign-in or invitation; errors of `body`.
    func read<T: Sendable>(
        _ id: String, session: BrowserSession?, _ body: @escaping @Sendable (SharedPage) async throws -> T
    ) async throws -> T? {
        guard Naming.fault(recordName: id, limit: site.limits.recordNameCharacters) == nil else {
            return nil
        }
        if let found = try await SharedTreeFinder(site: site).read(id, session: session, body) { return found }
        guard let place = try await place(of: id),
            let store = try await site.stores.existing(container: place.container, environment: place.environment)
        else { return nil }
        let rules = try await site.accounts.pageRules.list(container: place.container.name)
        let person = try await session?.person(in: place.container)
        return try await store.inOneSnapshot {
            guard let (record, rule) = try await record(id, in: store, rules) else { return nil }
            return try await body(
                SharedPage(
                    id: id, container: place.container, environment: place.environment, store: store,
                    kind: .published(record, rule), owner: record.creator,
                    link: try await store.pageSettings.find(id, owner: record.creator),
                    visitor: Visitor(person: person, isOwner: person?.isUser(record.creator) ?? false)))
        }
    }

    /// The environment of the public record with this ID, from the index of published names.
    ///
    /// The oldest of several records owns the page: a visitor cannot hijack it by creating a record of the same name in
    /// another container.
    private func place(of id: String) async throws -> PublishedPlace? {
        let places = try await site.accounts.pageRules.places(ofPublished: id)
        guard places.count > 1 else { return places.first }
        var found: [(place: PublishedPlace, created: Timestamp)] = []
        // A container's production environment sorts before its development environment.
        for place in places where found.last?.place.container.id != place.container.id {
            let rules = try await site.accounts.pageRules.list(container: place.container.name)
            if let store = try await site.stores.existing(container: place.container, environment: place.environment),
                let (record, _) = try await record(id, in: store, rules)
            {
                found.append((place, record.created))
            }
        }
        return found.min { $0.created < $1.created }?.place
    }

    private func record(
        _ id: String, in store: EnvironmentStore, _ rules: [ContainerPageRule]
    ) async throws -> (PageRecord, PageRule)? {
        guard let record = try await PublishedRecords.find(id, in: store),
            let rule = rules.first(where: { $0.rule.recordType == record.recordType })
        else { return nil }
        return (record, rule.rule)
    }
}
