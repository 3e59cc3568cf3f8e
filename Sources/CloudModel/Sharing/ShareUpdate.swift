extension ShareState {
    /// Supplies IDs and link tokens for new entries.
    package struct Identifiers: Sendable {
        package let participant: @Sendable () -> String
        package let link: @Sendable () -> String

        package init(participant: @escaping @Sendable () -> String, link: @escaping @Sendable () -> String) {
            self.participant = participant
            self.link = link
        }
    }

    /// The share after an edit by its owner or an administrator (reference B §9.4, §9.10).
    ///
    /// - Throws: `BAD_REQUEST` for an impossible entry and for more people than a share may have.
    package func applying(
        _ change: ShareChange, limits: Limits, identifiers: Identifiers
    ) throws(ServerError) -> ShareState {
        var next = self
        if let permission = change.publicPermission { next.publicPermission = permission }
        if let entries = change.participants {
            next.participants = try merged(entries, public: next.publicPermission, change.linked, identifiers)
        } else if next.publicPermission != publicPermission {
            next.participants.removeAll { $0.status == .invited }
        }
        next.adjustPublicUsers()
        try next.adjustRequests(change)
        for index in next.participants.indices.dropFirst()
        where change.linked.containsExactly(next.participants[index].id) && next.participants[index].link == nil {
            next.participants[index].link = identifiers.link()
        }
        try next.checkCount(limits)
        return next
    }

    func checkCount(_ limits: Limits) throws(ServerError) {
        guard participants.count <= limits.participantsPerShare else {
            throw .badRequest(
                "participants: the share would have \(participants.count), its owner among them; "
                    + "at most \(limits.participantsPerShare) are allowed",
                .limit(limits.participantsPerShare, "limit.participantsPerShare"))
        }
    }

    /// Gives link users the link's current permission; removes them if the link gives none.
    private mutating func adjustPublicUsers() {
        if publicPermission == .none { participants.removeAll { $0.type == .publicUser } }
        for index in participants.indices where participants[index].type == .publicUser {
            participants[index].permission = publicPermission
        }
    }

    private mutating func adjustRequests(_ change: ShareChange) throws(ServerError) {
        if let flag = change.deniesAccessRequests { deniesAccessRequests = flag }
        if let open = change.requesters {
            requesters.removeAll { !open.containsExactly($0.userRecordName ?? "") }
        }
        if let named = change.blocked {
            guard !named.contains(where: { $0.isExactly(owner.identity.userRecordName) }) else {
                throw .badRequest("blocked: the owner of a share cannot be blocked from it")
            }
            var seen: Set<ExactName> = []
            blocked = named.filter { seen.insert(ExactName($0)).inserted }
        }
        let blocked = blocked
        participants.removeAll { entry in
            entry.type != .owner && (entry.user.map(blocked.containsExactly) ?? false)
        }
        let users = participants.compactMap(\.user)
        requesters.removeAll {
            $0.userRecordName.map { blocked.containsExactly($0) || users.containsExactly($0) } ?? true
        }
    }

    // MARK: The list

    private func merged(
        _ entries: [ShareChange.Entry], public permission: SharePermission, _ linked: [String],
        _ identifiers: Identifiers
    ) throws(ServerError) -> [Participant] {
        var result = [owner]
        var taken: Set<Int> = [0]
        for (place, entry) in entries.enumerated() {
            if let index = match(entry) {
                // Keep the owner's entry as is; skip second entries for a participant.
                guard taken.insert(index).inserted, entry.status != .removed else { continue }
                var edited = participants[index].edited(by: entry)
                if result.contains(where: { $0.id.isExactly(edited.id) }) { edited.id = participants[index].id }
                result.append(edited)
            } else if entry.type != .owner {
                let added = try newcomer(entry, at: "participants[\(place)]", permission, linked, identifiers)
                let isKnown = result.contains {
                    $0.id.isExactly(added.id) || $0.identity.lookup.isSame(as: added.identity.lookup)
                }
                if !isKnown { result.append(added) }
            }
        }
        return result
    }

    /// Matches by ID, then by user, then by address.
    private func match(_ entry: ShareChange.Entry) -> Int? {
        if let id = entry.id, let index = participants.firstIndex(where: { $0.id.isExactly(id) }) { return index }
        let user = entry.identity.userRecordName ?? entry.identity.lookup.userRecordName
        if let user, let index = participants.firstIndex(where: { user.isExactly($0.user) }) { return index }
        return participants.firstIndex { $0.identity.lookup.isSame(as: entry.identity.lookup) }
    }

    private func newcomer(
        _ entry: ShareChange.Entry, at place: String, _ permission: SharePermission, _ linked: [String],
        _ identifiers: Identifiers
    ) throws(ServerError) -> Participant {
        guard permission == .none else {
            throw .badRequest(
                "\(known: place): people are invited only while publicPermission is NONE, and it is \(known: permission.rawValue)"
            )
        }
        guard entry.type != .publicUser else {
            throw .badRequest("\(known: place): a PUBLIC_USER joins by the link and cannot be added; invite a USER")
        }
        var lookup = entry.identity.lookup
        if lookup.isEmpty { lookup.userRecordName = entry.identity.userRecordName }
        guard !lookup.isEmpty || entry.id.map(linked.containsExactly) == true else {
            throw .badRequest(
                "\(known: place) needs userIdentity.lookupInfo with an emailAddress, a phoneNumber or a userRecordName")
        }
        return Participant(
            id: entry.id ?? identifiers.participant(), type: entry.type ?? .user, status: .invited,
            permission: entry.permission ?? .readOnly,
            identity: ShareIdentity(
                userRecordName: lookup.userRecordName, names: entry.identity.names, lookup: lookup),
            customRole: entry.customRole, isApprovedRequester: entry.isApprovedRequester ?? false)
    }
}

extension Participant {
    /// The user of the entry, joined or invited; nil for an address or link not yet claimed.
    var user: String? { identity.userRecordName ?? identity.lookup.userRecordName }

    /// Editors cannot raise the status: only the invited person accepts an invitation.
    fileprivate func edited(by entry: ShareChange.Entry) -> Participant {
        var edited = self
        if let id = entry.id { edited.id = id }
        if let given = entry.type, given == .user || given == .administrator { edited.type = given }
        if let permission = entry.permission { edited.permission = permission }
        if let role = entry.customRole { edited.customRole = role }
        if let approved = entry.isApprovedRequester { edited.isApprovedRequester = approved }
        return edited
    }
}
