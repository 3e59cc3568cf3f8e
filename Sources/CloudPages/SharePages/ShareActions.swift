import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore

/// Form actions on a share's page: accept, leave or decline, request access.
enum ShareActions {
    static let accept: PageEndpoint = { call in
        let (page, person, session) = try await openShare(call)
        try await session.acting(in: page.container, as: person) { person in
            _ = try await page.store.shares.accept(
                page.id, as: person, knowsPassword: true, clientID: nil, limits: call.site.limits)
        }
        return .seeOther(page.path)
    }

    /// Leaves a share, or declines an invitation.
    static let leave: PageEndpoint = { call in
        let (page, person, _) = try await openShare(call)
        guard !page.visitor.isOwner else {
            throw PageError(.badRequest, key: "leave.own", .share(.ownerOnly))
        }
        try await page.store.shares.end(page.id, as: person, limits: call.site.limits)
        return try call.page(for: PageError(.ok, key: "leave.done", nil))
    }

    /// `POST /share/{id}/ask`. The answer never reveals a hidden share.
    static let requestAccess: PageEndpoint = { call in
        try call.requireOwnOrigin()
        let handle = call.parameters[0]
        guard let session = try await call.session() else { throw SharePageRefusal.notFound }
        guard let home = try await call.site.accounts.environments.home(ofShortGUID: handle),
            let store = try await call.site.stores.existing(container: home.container, environment: home.environment)
        else { throw SharePageRefusal.notFound }
        do {
            let person = try await session.person(in: home.container)
            try await session.acting(in: home.container, as: person) { person in
                try await store.shares.requestAccess(
                    to: handle, as: person, limits: call.site.limits)
            }
        } catch let error as ServerError where error.code == .notFound {
            throw SharePageRefusal.notFound
        }
        return try call.page(for: PageError(.ok, key: "ask.done", nil))
    }

    private static func openShare(_ call: PageCall) async throws -> (SharedPage, Person, BrowserSession) {
        try call.requireOwnOrigin()
        let session = try await call.session()
        let page = try await PageGate(call: call).openPart(call.parameters[0])
        guard case .shared = page.kind, let session, let person = page.visitor.person else {
            throw SharePageRefusal.notFound
        }
        return (page, person, session)
    }
}
