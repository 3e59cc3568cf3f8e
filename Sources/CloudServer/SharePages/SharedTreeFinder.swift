import CloudModel
import CloudStore
import Foundation

/// Finds the share behind a short GUID or a one-time link, for whoever holds it.
struct SharedTreeFinder: Sendable {
    let site: Site

    /// Runs `body` on the page of a share, within the snapshot of the store that the share was found in.
    ///
    /// - Returns: nil when there is none, and when the visitor may not know that there is.
    /// - Throws: `SharePageRefusal` when it takes something of the visitor first; what `body` throws.
    func read<T: Sendable>(
        _ handle: String, session: BrowserSession?, _ body: @escaping @Sendable (SharedPage) async throws -> T
    ) async throws -> T? {
        guard let home = try await site.accounts.home(ofShortGUID: handle),
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
        _ store: any EnvironmentStore
    ) async throws -> SharedPage? {
        guard let share = try await share(handle, store) else { return nil }
        let isOwner = person?.isUser(share.owner) ?? false
        let link = try await store.link(share.shortGUID, owner: share.owner)
        // What is gone is gone for the invited, too, and nobody has to sign in to hear it.
        if !isOwner, let link, !link.isOpen(at: site.time) {
            throw SharePageRefusal.gone(hasExpired: !link.isTakenDown)
        }
        guard let metadata = try await metadata(handle, person, link, store) else { return nil }
        return SharedPage(
            id: handle, container: home.container, environment: home.environment, store: store,
            kind: .shared(try SharedTree(metadata, handle: handle, viewer: person, store: store)), owner: share.owner,
            link: link, visitor: Visitor(person: person, isOwner: isOwner))
    }

    /// - Throws: `SharePageRefusal` for a share that was stopped, whoever asks: no more is left to be told.
    private func share(_ handle: String, _ store: any EnvironmentStore) async throws -> OwnShare? {
        if let share = try await store.ownShare(handle) { return share }
        if try await store.isStopped(handle) { throw SharePageRefusal.gone(hasExpired: false) }
        return nil
    }

    private func metadata(
        _ handle: String, _ person: Person?, _ link: PageSettings?, _ store: any EnvironmentStore
    ) async throws -> ShareMetadata? {
        do { return try await store.share(handle, as: person) } catch is ShareRefusal {
            throw SharePageRefusal.mayAsk(isUnverified: true)
        } catch let error as ServerError where error.code == .accessDenied {
            // A link with a password takes no requests, so there is nothing to tell.
            if link?.hasPassword == true { return nil }
            throw SharePageRefusal.mayAsk(isUnverified: false)
        } catch let error as ServerError where error.code == .notFound {
            if person == nil { throw SharePageRefusal.signInNeeded }
            return nil
        }
    }
}
