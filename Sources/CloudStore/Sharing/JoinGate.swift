import CloudModel
import CloudSQL

/// Holds whoever is not in a share yet to what its owner settled about its link, whichever way they come.
struct JoinGate {
    let now: Timestamp
    /// True if the visitor has given the link's password, which only its page asks for.
    var knowsPassword = false

    /// - Parameter token: of the one-time link they came by; nil for the short GUID.
    /// - Throws: `NOT_FOUND` where the link is closed, expired or locked; `ACCESS_DENIED` where it shows what its owner
    ///   chose, and they were not invited by name.
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
        guard link.items != nil, Self.comesByLinkAlone(standing, share, token, person) else { return }
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
