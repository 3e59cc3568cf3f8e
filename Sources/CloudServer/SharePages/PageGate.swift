import CloudStore
import Foundation
import Hummingbird

/// Holds each request for a page, and for anything on it, to what its owner has settled.
struct PageGate: Sendable {
    let call: PageCall

    private var site: Site { call.site }

    /// The page of this id, open to whoever asks.
    ///
    /// - Throws: the 404 page, or a `SharePageRefusal`.
    func open(_ id: String) async throws -> SharedPage {
        let session = try await call.session()
        guard let page = try await PageFinder(site: site).find(id, session: session) else {
            throw SharePageRefusal.notFound
        }
        if page.visitor.isOwner { return page }
        try refuse(page)
        return page
    }

    private func refuse(_ page: SharedPage) throws {
        guard let link = page.link else { return }
        let now = site.time
        if link.isTakenDown { throw SharePageRefusal.gone(hasExpired: false) }
        if link.hasExpired(at: now) { throw SharePageRefusal.gone(hasExpired: true) }
        guard link.hasPassword else { return }
        guard let pass = call.request.cookies[PagePass.cookie]?.value,
            PagePass(signer: site.pagePassSigner).isGood(pass, id: page.settingsID, mark: link.passwordMark, now: now)
        else { throw SharePageRefusal.passwordNeeded(page) }
    }

    /// The same for what hangs under a page, where a refusal is a plain page.
    func openPart(_ id: String) async throws -> SharedPage {
        do { return try await open(id) } catch let refusal as SharePageRefusal { throw refusal.error }
    }
}
