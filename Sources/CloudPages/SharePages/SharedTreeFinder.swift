import CloudAccounts
import CloudModel
import CloudStore
import Foundation

/// Resolves a short GUID or one-time link to its share.
struct SharedTreeFinder: Sendable {
    let site: Site

    /// Runs `body` on the page of a share, in the snapshot in which the share was found.
    ///
    /// - Returns: nil for a missing share, or a share hidden from the visitor.
    /// - Throws: `SharePageRefusal` for a closed share, or before sign-in or invitation; errors of `body`.
    func read<T: Sendable>(
        _ handle: String, session: BrowserSession?, _ body: @escaping @Sendable (SharedPage) async throws -> T
    ) async throws -> T? {
        guard let home = try await site.accounts.environments.home(ofShortGUID: handle),
            let store = try await site.stores.existing(container: home.container, environment: home.environment)
        else { return nil }
        let person = try await session?.person(in: home.container)
        return try await store.inOneSnapshot {
            guard let page = try await find(handle, person, in: home, store) else { return nil }
            return try await body(page)
        }
    }

    private func find(
        _ handle: String, _ person: Person?, in home: (container: Container, environment: ContainerEnvironment),
        _ store: EnvironmentStore
    ) async throws -> SharedPage? {
        guard let share = try await share(handle, store) else { return nil }
        let isOwner = person?.isUser(share.owner) ?? false
        let link = try await store.pageSettings.find(share.shortGUID, owner: share.owner)
        // A closed page answers "gone" to invited people as well, and before any sign-in.
        if !isOwner, let link, !link.isOpen(at: site.time) {
            throw SharePageRefusal.gone(hasExpired: !link.isTakenDown)
        }
        let isOneTime = !handle.isExactly(share.shortGUID)
        guard let metadata = try await metadata(handle, person, link, isOneTime: isOneTime, store) else { return nil }
        return SharedPage(
            id: handle, container: home.container, environment: home.environment, store: store,
            kind: .shared(try SharedTree(metadata, handle: handle, viewer: person, store: store)), owner: share.owner,
            link: link, visitor: Visitor(person: person, isOwner: isOwner))
    }

    /// - Throws: `SharePageRefusal` for a stopped share, to every visitor: no secret remains.
    private func share(_ handle: String, _ store: EnvironmentStore) async throws -> OwnShare? {
        if let share = try await store.sharePages.share(handle) { return share }
        if try await store.sharePages.isStopped(handle) { throw SharePageRefusal.gone(hasExpired: false) }
        return nil
    }

    private func metadata(
        _ handle: String, _ person: Person?, _ link: PageSettings?, isOneTime: Bool, _ store: EnvironmentStore
    ) async throws -> ShareMetadata? {
        do { return try await store.shares.find(handle, as: person) } catch is ShareRefusal {
            throw SharePageRefusal.mayAsk(isUnverified: true)
        } catch let error as ServerError where error.code == .accessDenied {
            // Pages with a password take no access requests.
            if link?.hasPassword == true { return nil }
            throw SharePageRefusal.mayAsk(isUnverified: false)
        } catch let error as ServerError where error.code == .notFound {
            if person == nil { throw SharePageRefusal.signInNeeded(isOneTime: isOneTime) }
            return nil
        }
    }
}
