import CloudModel
import CloudStore

extension SharedTree {
    /// What the visitor is asked, for the template; nil when they are in it already.
    func invitation(base: String) -> [String: Any]? {
        var content: [String: Any] = ["base": base]
        switch metadata.standing {
        case .invited(let entry):
            content["canAccept"] = true
            content["canDecline"] = viewer != nil
            content["invitation"] = "You are invited: \(Self.words(entry.permission))."
            content["signIn"] = viewer == nil ? SignInAddress.returning(to: base) : nil
        case .open(let permission):
            guard viewer == nil else {
                content["canAccept"] = true
                content["invitation"] = "You can join: \(Self.words(permission))."
                return content
            }
            content["invitation"] = "With an account here you can join, and have it in your app as well."
            content["signIn"] = SignInAddress.returning(to: base)
        default: return nil
        }
        return content
    }

    /// Who is in it, as far as the visitor may know, for the template; nil for visitors who are not.
    func people(base: String) -> [String: Any]? {
        guard viewer != nil, let participants = shown, !participants.isEmpty else { return nil }
        var isMember = false
        if case .member = metadata.standing { isMember = true }
        return ["members": participants, "canLeave": isMember, "base": base]
    }

    /// The participants of the share record as this visitor gets it.
    private var shown: [[String: Any]]? {
        guard let viewerEntry = metadata.viewer, viewerEntry.status == .accepted,
            let json = try? JSONParser.parse(metadata.share).object
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
            return [
                "name": (name.isEmpty ? address ?? "Somebody" : name) + (isViewer ? " (you)" : ""),
                "role": Self.role(entry),
            ]
        }
    }

    private static func role(_ entry: JSONObject) -> String {
        if entry["type"]?.string == ParticipantType.owner.rawValue { return "owner" }
        let permission = entry["permission"]?.string.flatMap(SharePermission.init(rawValue:)) ?? .none
        let isPending = entry["acceptanceStatus"]?.string == AcceptanceStatus.invited.rawValue
        return (isPending ? "invited, " : "") + words(permission)
    }

    private static func words(_ permission: SharePermission) -> String {
        switch permission {
        case .none: "no access"
        case .readOnly: "can look"
        case .readWrite: "can look and change"
        }
    }
}
