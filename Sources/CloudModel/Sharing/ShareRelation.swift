/// A person's relation to a share, given its link (reference B §9.6–§9.8).
package enum ShareRelation: Hashable, Sendable {
    case owner
    /// Has accepted.
    case member(Participant)
    /// Has an invitation, this entry, to accept.
    case invited(Participant)
    /// May join through the link, with this permission.
    case open(SharePermission)
    /// These entries match the person's email address, which is not yet verified.
    case unverified([Participant])
    /// Sees that the share exists and may request access.
    case mayAsk
    /// Does not learn that the share exists.
    case stranger

    /// True if the caller may read the share record and the root.
    package var seesShare: Bool {
        switch self {
        case .owner, .invited, .open: true
        case .member(let participant): participant.permission != .none
        case .unverified, .mayAsk, .stranger: false
        }
    }
}

extension ShareState {
    /// - Parameters:
    ///   - person: nil for an anonymous caller.
    ///   - link: the one-time token; nil for a person who used the short GUID.
    package func standing(of person: Person?, link: String? = nil) -> ShareRelation {
        guard let person else { return publicPermission == .none || link != nil ? .stranger : .open(publicPermission) }
        let user = person.userRecordName
        if person.isUser(owner.identity.userRecordName) { return .owner }
        if let user, blocked.containsExactly(user) { return .stranger }
        if let entry = user.flatMap(participant(user:)) {
            switch entry.status {
            case .accepted: return .member(entry)
            case .invited where entry.permission != .none: return .invited(entry)
            case .invited, .removed: break
            }
        }
        let unclaimed = participants.filter {
            $0.status == .invited && $0.identity.userRecordName == nil && $0.permission != .none
        }
        if let link, let entry = unclaimed.first(where: { $0.link == link }) { return .invited(entry) }
        let verified = LookupInfo(
            email: person.verifiedEmail, phone: person.phone, userRecordName: user)
        if let entry = unclaimed.first(where: { $0.identity.lookup.isAddressed(to: verified) }) {
            return .invited(entry)
        }
        if publicPermission != .none && link == nil { return .open(publicPermission) }
        let claimed = LookupInfo(email: person.email)
        let matches = unclaimed.filter { $0.identity.lookup.isAddressed(to: claimed) }
        if !matches.isEmpty { return .unverified(matches) }
        return deniesAccessRequests || link != nil ? .stranger : .mayAsk
    }

    /// The share after this person accepts it. Accepting again changes nothing.
    ///
    /// - Throws: `NOT_FOUND` if the person must not learn of the share, `ACCESS_DENIED` if they may learn of it but not join;
    ///   ``notAUser`` for a person who may join and is not a user of the container.
    package func accepting(
        _ person: Person, link: String? = nil, limits: Limits, newID: () -> String
    ) throws(ServerError) -> ShareState {
        var next = self
        switch standing(of: person, link: link) {
        case .owner, .member: return self
        case .invited where person.userRecordName == nil: throw Self.notAUser
        case .open where person.userRecordName == nil: throw Self.notAUser
        case .invited(let entry):
            guard let index = participants.firstIndex(where: { $0.id.isExactly(entry.id) }) else { return self }
            next.participants[index].status = .accepted
            next.participants[index].identity.userRecordName = person.userRecordName
            if !person.names.isEmpty { next.participants[index].identity.names = person.names }
            if entry.identity.lookup.isEmpty { next.participants[index].identity.lookup.email = person.verifiedEmail }
        case .open(let permission):
            next.participants.removeAll { person.isUser($0.identity.userRecordName) }
            next.participants.append(
                Participant(
                    id: newID(), type: .publicUser, status: .accepted, permission: permission,
                    identity: person.identity))
            try next.checkCount(limits)
        case .unverified:
            throw ServerError(
                .accessDenied, "the invitation is for an address you have not verified", .share(.unverifiedAddress))
        case .mayAsk:
            throw ServerError(
                .accessDenied, "you are not invited to this share; ask its owner for access", .share(.mayAsk))
        case .stranger: throw Self.notFound
        }
        next.requesters.removeAll { person.isUser($0.userRecordName) }
        return next
    }

    /// The share after this person requests access. Members, invited people and earlier requesters change nothing.
    ///
    /// - Throws: `NOT_FOUND` if the person must not learn of the share; ``notAUser`` for a person who may ask and is not a user
    ///   of the container.
    package func asking(_ person: Person, link: String? = nil, limits: Limits) throws(ServerError) -> ShareState {
        switch standing(of: person, link: link) {
        case .owner, .member, .invited, .open: return self
        case .stranger: throw Self.notFound
        case .unverified where deniesAccessRequests: throw Self.notFound
        case .unverified, .mayAsk: break
        }
        guard person.userRecordName != nil else { throw Self.notAUser }
        if requesters.contains(where: { person.isUser($0.userRecordName) }) { return self }
        guard requesters.count < limits.participantsPerShare else {
            throw ServerError(
                .tryAgainLater,
                "\(requesters.count) people wait for an answer already, the most allowed; ask again later",
                .limit(limits.participantsPerShare, "limit.participantsPerShare"),
                retryAfter: 3600)
        }
        var next = self
        next.requesters.append(person.identity)
        return next
    }

    /// The share without this person's invitation; nil without an invitation.
    package func declining(_ person: Person, link: String? = nil) -> ShareState? {
        guard case .invited(let entry) = standing(of: person, link: link) else { return nil }
        var next = self
        next.participants.removeAll { $0.id.isExactly(entry.id) }
        return next
    }

    /// The share without this user.
    package func leaving(_ user: String) -> ShareState {
        var next = self
        next.participants.removeAll { $0.type != .owner && user.isExactly($0.identity.userRecordName) }
        return next
    }

    /// The error that hides a share's existence.
    package static let notFound = ServerError(.notFound, "share not found", .share(.notFound))

    /// The error for people who must first become users of the container.
    package static let notAUser = ServerError(
        .accessDenied, "only users of the container can be in its shares", .share(.notAUser))
}

extension LookupInfo {
    /// Returns true if an invitation to this address reaches a user with the given addresses.
    func isAddressed(to addresses: LookupInfo) -> Bool {
        LookupInfo(email: email).isSame(as: LookupInfo(email: addresses.email))
            || LookupInfo(phone: phone).isSame(as: LookupInfo(phone: addresses.phone))
            || LookupInfo(userRecordName: userRecordName)
                .isSame(as: LookupInfo(userRecordName: addresses.userRecordName))
    }
}
