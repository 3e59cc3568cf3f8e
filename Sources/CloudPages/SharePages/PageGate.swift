import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore
import Foundation

/// Enforces the owner's settings on each request for a page or its files.
struct PageGate: Sendable {
    let call: PageCall

    private var site: Site { call.site }

    /// Opens a page for the visitor.
    ///
    /// - Throws: the 404 page, or `SharePageRefusal`.
    func open(_ id: String) async throws -> SharedPage { try await read(id) { $0 } }

    /// Opens a page and runs `body` in the snapshot in which the page was found.
    ///
    /// - Throws: errors of ``open(_:)`` and of `body`.
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
            // Best effort: the visitor gets the refusal even if the note fails.
            try? await note(id)
            throw error
        }
    }

    /// Records the target of a refused link for the operator. The visitor learns nothing.
    private func note(_ id: String) async throws {
        guard Naming.fault(recordName: id, limit: site.limits.recordNameCharacters) == nil else { return }
        if let home = try await site.accounts.environments.home(ofShortGUID: id) {
            let store = try await site.stores.existing(container: home.container, environment: home.environment)
            let share = try await store?.sharePages.share(id)?.position
            call.trace.note(.link(container: home.container.name, environment: home.environment, share: share))
        } else if let place = try await site.accounts.pageRules.places(ofPublished: id).first {
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

    /// ``open(_:)`` for a page's files and forms, which refuse with a plain page.
    func openPart(_ id: String) async throws -> SharedPage { try await readPart(id) { $0 } }

    /// ``read(_:_:)`` with a plain page as refusal.
    func readPart<T: Sendable>(
        _ id: String, _ body: @escaping @Sendable (SharedPage) async throws -> T
    ) async throws -> T {
        do { return try await read(id, body) } catch let refusal as SharePageRefusal { throw refusal.error }
    }
}
