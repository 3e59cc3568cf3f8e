package import CloudHTTP
import CloudModel
import CloudStore

extension SharedTree {
    /// The visitor's invitation; nil unless invited.
    ///
    /// - Parameter app: the container's app; nil if no page rule names one.
    func invitation(
        base: String, app: SharePageView.App?, _ language: PageLanguage
    ) -> SharePageView.Invitation? {
        guard case .invited(let entry) = metadata.standing else { return nil }
        return SharePageView.Invitation(
            base: base,
            invitation: ownerName.map { language.text("invitation.by", ["name": .name($0)]) }
                ?? language.text("invitation.title"),
            terms: Self.terms(entry.permission, app?.name, language), appPicture: app?.picture,
            oneTime: isOneTime ? language.text("oneTime.text") : nil, isSignedIn: viewer != nil,
            signInToJoin: signInToJoin(base: base))
    }

    /// An offer to join a share that is open to its link.
    ///
    /// - Parameter app: the container's app; nil if no page rule names one.
    func offer(base: String, app: SharePageView.App?, _ language: PageLanguage) -> SharePageView.Offer? {
        guard case .open(let permission) = metadata.standing else { return nil }
        return SharePageView.Offer(
            base: base, terms: Self.terms(permission, app?.name, language), appPicture: app?.picture,
            signInToJoin: signInToJoin(base: base))
    }

    private func signInToJoin(base: String) -> String? {
        viewer == nil ? SignInAddress.returning(to: base) : nil
    }

    private static func terms(_ permission: SharePermission, _ app: String?, _ language: PageLanguage) -> String {
        let canChange = permission == .readWrite
        guard let app else { return language.text(canChange ? "join.termsToChange" : "join.terms") }
        return language.text(canChange ? "join.inAppToChange" : "join.inApp", ["app": .name(app)])
    }

    /// The participants visible to the visitor; nil for non-members.
    package func people(base: String, _ language: PageLanguage) -> SharePageView.People? {
        guard viewer != nil, let participants = shown(language), !participants.isEmpty else { return nil }
        var isMember = false
        if case .member = metadata.standing { isMember = true }
        return SharePageView.People(base: base, members: participants, canLeave: isMember)
    }

    /// The participants in the share record as this visitor sees it.
    private func shown(_ language: PageLanguage) -> [SharePageView.Member]? {
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
            let shownName = name.isEmpty ? address ?? language.text("person.somebody") : name
            return SharePageView.Member(
                name: shownName, initial: shownName.prefix(1).uppercased(), role: Self.role(entry, language),
                isViewer: isViewer)
        }
    }

    /// The name that a user of the share has given: the owner's to every visitor, others' to members only; never an
    /// address.
    func name(ofUser user: String) -> String? {
        if metadata.owner.identity.userRecordName == user { return ownerName }
        guard let viewerEntry = metadata.viewer, viewerEntry.status == .accepted else { return nil }
        if viewerEntry.identity.userRecordName == user { return Self.name(of: viewerEntry) }
        let participants = (try? metadata.share.json())?["participants"]?.array ?? []
        let identity = participants.lazy.compactMap { $0.object?["userIdentity"]?.object }
            .first { $0["userRecordName"]?.string == user }
        let names = identity?["nameComponents"]?.object
        let name = [names?["givenName"]?.string, names?["familyName"]?.string].compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? nil : name
    }

    private static func role(_ entry: JSONObject, _ language: PageLanguage) -> String {
        if entry["type"]?.string == ParticipantType.owner.rawValue { return language.text("role.owner") }
        let permission = entry["permission"]?.string.flatMap(SharePermission.init(rawValue:)) ?? .none
        let isPending = entry["acceptanceStatus"]?.string == AcceptanceStatus.invited.rawValue
        let role = words(permission, language)
        return isPending ? language.text("role.invited", ["role": .text(role)]) : role
    }

    private static func words(_ permission: SharePermission, _ language: PageLanguage) -> String {
        switch permission {
        case .none: language.text("role.none")
        case .readOnly: language.text("role.look")
        case .readWrite: language.text("role.change")
        }
    }
}
