import CloudModel
import CloudStore
import Foundation

/// Holds each request for a page, and for anything on it, to what its owner has settled.
struct PageGate: Sendable {
    let call: PageCall

    private var site: Site { call.site }

    /// The page of this id, open to whoever asks.
    ///
    /// - Throws: the 404 page, or a `SharePageRefusal`.
    func open(_ id: String) async throws -> SharedPage { try await read(id) { $0 } }

    /// Opens the page of this id, and runs `body` on it within the snapshot of the store that the page was found in.
    ///
    /// - Throws: as ``open(_:)`` does; what `body` throws.
    func read<T: Sendable>(_ id: String, _ body: @escaping @Sendable (SharedPage) async throws -> T) async throws -> T {
        let session = try await call.session()
        do {
            let found = try await PageFinder(site: site).read(id, session: session) { page in
                if !page.visitor.isOwner { try refuse(page) }
                return try await body(page)
            }
            guard let found else { throw SharePageRefusal.notFound }
            return found
        } catch let error where error is SharePageRefusal || error is PageError {
            // The visitor gets the refusal whether or not the note succeeds.
            try? await note(id)
            throw error
        }
    }

    /// Notes where a link leads that was refused, for the operator who is asked about it. The visitor is not told.
    private func note(_ id: String) async throws {
        guard Naming.fault(recordName: id, limit: site.configuration.limits.recordNameCharacters) == nil else { return }
        if let home = try await site.accounts.home(ofShortGUID: id) {
            let store = try await site.stores.existing(container: home.container, environment: home.environment)
            let share = try await store?.ownShare(id)?.position
            call.trace.note(.link(container: home.container.name, environment: home.environment, share: share))
        } else if let place = try await site.accounts.places(ofPublished: id).first {
            call.trace.note(.link(container: place.container.name, environment: place.environment, share: nil))
        }
    }

    private func refuse(_ page: SharedPage) throws {
        guard let link = page.link else { return }
        let now = site.time
        if link.isTakenDown { throw SharePageRefusal.gone(hasExpired: false) }
        if link.hasExpired(at: now) { throw SharePageRefusal.gone(hasExpired: true) }
        guard link.hasPassword else { return }
        guard let pass = call.cookie(PagePass.cookieName(of: page.settingsID)),
            PagePass(signer: site.pagePassSigner).isGood(pass, id: page.settingsID, mark: link.passwordMark, now: now)
        else { throw SharePageRefusal.passwordNeeded(page) }
    }

    /// The same for what hangs under a page, where a refusal is a plain page.
    func openPart(_ id: String) async throws -> SharedPage { try await readPart(id) { $0 } }

    /// The same as ``read(_:_:)``, with a refusal that is a plain page.
    func readPart<T: Sendable>(
        _ id: String, _ body: @escaping @Sendable (SharedPage) async throws -> T
    ) async throws -> T {
        do { return try await read(id, body) } catch let refusal as SharePageRefusal { throw refusal.error }
    }
}
