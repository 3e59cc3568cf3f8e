import CloudModel
import CloudSQL

/// Applies the owner's page settings to people who want to join a share, by page or by API.
struct JoinGate {
    let now: Timestamp
    /// True if the visitor has entered the page's password, which only the page asks for.
    var knowsPassword = false

    /// - Parameter token: the token of the visitor's one-time link; nil for the short GUID.
    /// - Throws: `NOT_FOUND` if the page is closed, expired or locked; `ACCESS_DENIED` if it gives less than membership
    ///   and the person is not invited by name.
    func check(_ share: ShareRow, token: String?, for person: Person, _ db: SQLConnection) throws {
        let standing = share.state.standing(of: person, link: token)
        switch standing {
        case .owner, .member: return
        case .invited, .open, .unverified, .mayAsk, .stranger: break
        }
        guard let owner = share.state.owner.identity.userRecordName,
            let link = try PageSettingsTable.find(share.shortGUID, owner: owner, db)
        else { return }
        guard link.isOpen(at: now), knowsPassword || !link.hasPassword else { throw ShareState.notFound }
        guard link.isRestricted, Self.comesByLinkAlone(standing, share, token, person) else { return }
        throw ServerError(
            .accessDenied, "the owner chose what this link shows, so only people invited by name can join",
            .share(.notByLink))
    }

    private static func comesByLinkAlone(
        _ standing: ShareRelation, _ share: ShareRow, _ token: String?, _ person: Person
    ) -> Bool {
        switch standing {
        case .open: return true
        case .invited:
            guard token != nil, case .invited = share.state.standing(of: person) else { return token != nil }
            return false
        case .owner, .member, .unverified, .mayAsk, .stranger: return false
        }
    }
}
