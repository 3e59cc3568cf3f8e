/// The sharing members of an operation on a share record (reference B §9.2, §9.4, §9.10). Absent members leave the share
/// unchanged.
package struct ShareChange: Hashable, Sendable {
    /// The record to share.
    package struct Root: Hashable, Sendable {
        package let recordName: String
        package let changeTag: String?
    }

    package var root: Root?
    package var publicPermission: SharePermission?
    /// The complete new list.
    package var participants: [Entry]?
    /// IDs of participants that need a one-time link.
    package var linked: [String] = []
    package var deniesAccessRequests: Bool?
    /// User record names of people whose access requests stay open.
    package var requesters: [String]?
    /// User record names of people barred from requesting access.
    package var blocked: [String]?

    package init() {}

    /// A participant as sent in a request.
    package struct Entry: Hashable, Sendable {
        package var id: String?
        package var type: ParticipantType?
        package var status: AcceptanceStatus?
        package var permission: SharePermission?
        package var identity = ShareIdentity()
        package var customRole: String?
        package var isApprovedRequester: Bool?

        package init() {}
    }

    private static let keys = [
        "forRecord", "publicPermission", "participants", "denyAccessRequests", "requesters", "blocked",
        "oneTimeStableUrlInfo",
    ]

    /// Parses a record's sharing members; nil for a record of another type or without sharing members.
    init?(in record: JSONObject, recordType: String?, limits: Limits) throws(ServerError) {
        guard recordType == RecordType.share || recordType == nil && Self.keys.contains(where: record.contains)
        else { return nil }
        root = try Self.root(record["forRecord"], limits: limits)
        publicPermission = try Self.term("publicPermission", in: record, SharePermission.init(rawValue:))
        if let list = try Self.list("participants", in: record, limits: limits) {
            var entries: [Entry] = []
            for (index, json) in list.enumerated() { entries.append(try Entry(json, at: "participants[\(index)]")) }
            participants = entries
        }
        linked = try Self.linked(record["oneTimeStableUrlInfo"], limits: limits)
        if let value = record["denyAccessRequests"] {
            guard let flag = value.bool else {
                throw .badRequest("denyAccessRequests must be true or false, not \(known: value.kind)")
            }
            deniesAccessRequests = flag
        }
        requesters = try Self.users("requesters", in: record, limits: limits)
        blocked = try Self.users("blocked", in: record, limits: limits)
    }

    private static func root(_ json: JSONValue?, limits: Limits) throws(ServerError) -> Root? {
        guard let json else { return nil }
        guard let name = json.object?["recordName"]?.string else {
            throw .badRequest("forRecord must be an object with a recordName that is a string")
        }
        if let fault = Naming.fault(recordName: name, limit: limits.recordNameCharacters) {
            throw .badRequest("forRecord: \(fault)")
        }
        return Root(recordName: name, changeTag: json.object?["recordChangeTag"]?.string)
    }

    /// Refuses lists above the share's limit before any processing.
    private static func list(
        _ key: String, in record: JSONObject, limits: Limits
    ) throws(ServerError) -> [JSONValue]? {
        guard let value = record[key] else { return nil }
        guard let array = value.array else {
            throw .badRequest("\(known: key) must be an array, not \(known: value.kind)")
        }
        guard array.count <= limits.participantsPerShare else {
            throw .badRequest(
                "\(known: key) has \(array.count) elements, at most \(limits.participantsPerShare) are allowed",
                .limit(limits.participantsPerShare, "limit.participantsPerShare"))
        }
        return array
    }

    /// Clients nest the user at different depths.
    private static func users(
        _ key: String, in record: JSONObject, limits: Limits
    ) throws(ServerError) -> [String]? {
        guard let list = try list(key, in: record, limits: limits) else { return nil }
        var names: [String] = []
        for (index, json) in list.enumerated() {
            let object = json.object
            let inner = object?["requesterInformation"]?.object ?? object?["userIdentity"]?.object ?? object
            guard let name = inner?["userRecordName"]?.string else {
                throw .badRequest("\(known: key)[\(index)] needs requesterInformation with a userRecordName")
            }
            names.append(name)
        }
        return names
    }

    private static func linked(_ json: JSONValue?, limits: Limits) throws(ServerError) -> [String] {
        guard let json else { return [] }
        guard let info = json.object else {
            throw .badRequest("oneTimeStableUrlInfo must be an object, not \(known: json.kind)")
        }
        var ids: [String] = []
        for (index, link) in (try list("oneTimeLinks", in: info, limits: limits) ?? []).enumerated() {
            guard let found = participants(link.object?["participantId"]) else {
                throw .badRequest("oneTimeLinks[\(index)].participantId must be a string or an array of strings")
            }
            ids += found
        }
        return ids
    }

    private static func participants(_ json: JSONValue?) -> [String]? {
        if let id = json?.string { return [id] }
        guard let elements = json?.array else { return nil }
        let ids = elements.compactMap(\.string)
        return ids.count == elements.count ? ids : nil
    }

    /// Nil for `UNKNOWN`, which clients echo for values unknown to them.
    fileprivate static func term<T>(
        _ key: String, in object: JSONObject, at place: String = "", _ make: (String) -> T?
    ) throws(ServerError) -> T? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else {
            throw .badRequest("\(known: place)\(known: key) must be a string, not \(known: value.kind)")
        }
        if text == "UNKNOWN" { return nil }
        guard let term = make(text) else {
            throw .badRequest("\(known: place)\(known: key) '\(Naming.shown(text))' is unknown")
        }
        return term
    }
}

extension ShareChange.Entry {
    init(_ json: JSONValue, at place: String) throws(ServerError) {
        guard let object = json.object else {
            throw .badRequest("\(known: place) must be an object, not \(known: json.kind)")
        }
        id = try LookupInfo.text("participantId", in: object, at: place)
        type = try ShareChange.term("type", in: object, at: "\(place).", ParticipantType.init(wire:))
        status = try ShareChange.term("acceptanceStatus", in: object, at: "\(place).", AcceptanceStatus.init(wire:))
        permission = try ShareChange.term("permission", in: object, at: "\(place).", SharePermission.init(rawValue:))
        identity = try ShareIdentity(object["userIdentity"], at: "\(place).userIdentity")
        customRole = try LookupInfo.text("customRole", in: object, at: place)
        isApprovedRequester = object["isApprovedRequester"]?.bool
    }
}
