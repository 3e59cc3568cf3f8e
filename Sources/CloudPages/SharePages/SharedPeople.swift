import CloudHTTP
import CloudModel
import CloudStore

extension SharedTree {
    /// The visitor's invitation; nil unless invited.
    package func invitation(base: String) -> SharePageView.Invitation? {
        guard case .invited(let entry) = metadata.standing else { return nil }
        return SharePageView.Invitation(
            base: base, invitation: ownerName.map { "\($0) invites you" } ?? "You are invited",
            terms: Self.terms(entry.permission), isSignedIn: viewer != nil, signInToJoin: signInToJoin(base: base))
    }

    /// An offer to join a share that is open to its link.
    package func offer(base: String) -> SharePageView.Offer? {
        guard case .open(let permission) = metadata.standing else { return nil }
        return SharePageView.Offer(base: base, terms: Self.terms(permission), signInToJoin: signInToJoin(base: base))
    }

    private func signInToJoin(base: String) -> String? {
        viewer == nil ? SignInAddress.returning(to: base) : nil
    }

    private static func terms(_ permission: SharePermission) -> String {
        permission == .readWrite
            ? "Join to have it in your app as well, and to change it there."
            : "Join to have it in your app as well."
    }

    /// The participants visible to the visitor; nil for non-members.
    package func people(base: String) -> SharePageView.People? {
        guard viewer != nil, let participants = shown, !participants.isEmpty else { return nil }
        var isMember = false
        if case .member = metadata.standing { isMember = true }
        return SharePageView.People(base: base, members: participants, canLeave: isMember)
    }

    /// The participants in the share record as this visitor sees it.
    private var shown: [SharePageView.Member]? {
        guard let viewerEntry = metadata.viewer, viewerEntry.status == .accepted,
            let json = try? metadata.share.json()
        else { return nil }
        return (json["participants"]?.array ?? []).compactMap { element in
            guard let entry = element.object else { return nil }
            let identity = entry["userIdentity"]?.object
            let names = identity?["nameComponents"]?.object
            let name = [names?["givenName"]?.string, names?["familyName"]?.string].compactMap(\.self)
                .joined(separator: " ")
            let lookup = identity?["lookupInfo"]?.object
            let address = lookup?["emailAddress"]?.string ?? lookup?["phoneNumber"]?.string
            let isViewer = entry["participantId"]?.string == viewerEntry.id
            let shownName = name.isEmpty ? address ?? "Somebody" : name
            return SharePageView.Member(
                name: shownName, initial: shownName.prefix(1).uppercased(), role: Self.role(entry), isViewer: isViewer)
        }
    }

    private static func role(_ entry: JSONObject) -> String {
        if entry["type"]?.string == ParticipantType.owner.rawValue { return "Owner" }
        let permission = entry["permission"]?.string.flatMap(SharePermission.init(rawValue:)) ?? .none
        let isPending = entry["acceptanceStatus"]?.string == AcceptanceStatus.invited.rawValue
        return (isPending ? "Invited · " : "") + words(permission)
    }

    private static func words(_ permission: SharePermission) -> String {
        switch permission {
        case .none: "No access"
        case .readOnly: "Can look"
        case .readWrite: "Can look and change"
        }
    }
}
