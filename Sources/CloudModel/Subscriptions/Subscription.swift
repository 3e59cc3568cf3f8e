/// A parsed subscription (reference B §6.1), its query not yet resolved against a schema.
package struct Subscription: Hashable, Sendable {
    /// The client's name for the subscription, or a generated name.
    package let name: String
    package let kind: SubscriptionKind
    /// Nil for all zones.
    package let zone: ZoneID?
    /// For query subscriptions only.
    package let query: Query?
    /// The JSON source of the query.
    package let queryJSON: JSONValue?
    package let firesOn: FiringReasons
    package let firesOnce: Bool
    package let info: JSONValue?
    /// The dictionary of answers: the client's known members verbatim, and the full zone.
    package let body: [UInt8]

    /// - Parameters:
    ///   - name: its id, checked.
    ///   - scope: of the database it is to be in, which is `database`.
    package init(
        _ object: JSONObject, name: String, scope: DatabaseScope, database: DatabaseAddress, limits: Limits
    ) throws(ServerError) {
        let form = try SubscriptionForm(object)
        let zone = try form.zone(in: database)
        if let refusal = form.kind.refusal(in: scope, zone: zone) { throw refusal }
        self.name = name
        self.zone = zone
        kind = form.kind
        queryJSON = form.query
        query = if form.kind == .query { try Query(form.query, limits: limits) } else { nil }
        firesOn = form.firesOn
        firesOnce = form.firesOnce
        info = object["notificationInfo"]
        if let info { _ = try NotificationInfo(info) }
        body = form.echo(object, name: name, zone: form.namesZone ? zone : nil)
        guard body.count <= limits.subscriptions.bytes else {
            throw .badRequest(
                "subscription has \(body.count) bytes, at most \(limits.subscriptions.bytes) are allowed",
                .limit(limits.subscriptions.bytes, "limit.subscriptionBytes"))
        }
    }
}

extension Subscription {
    /// The `subscriptionType` in a ``body``.
    package static func type(of body: [UInt8]) -> String? {
        (try? JSONParser.parse(body))?.object?["subscriptionType"]?.string
    }
}

/// The kind of a subscription dictionary, and checks of its keys for that kind.
private struct SubscriptionForm {
    let kind: SubscriptionKind
    let type: String
    let zoneName: ZoneName?
    let isZoneWide: Bool
    let query: JSONValue?
    let firesOn: FiringReasons
    let firesOnce: Bool

    init(_ object: JSONObject) throws(ServerError) {
        type = try Self.type(object)
        isZoneWide = try Self.flag("zoneWide", object)
        zoneName = if let json = object["zoneID"] { try ZoneName(json) } else { nil }
        if isZoneWide && zoneName != nil { throw .badRequest("zoneWide means all zones, so zoneID must be left out") }
        kind = try Self.kind(type, zoneName, isZoneWide)
        firesOn = try Self.reasons(object)
        firesOnce = try Self.flag("firesOnce", object)
        query = object["query"]
        if kind == .query {
            if firesOn.isEmpty {
                throw .badRequest("firesOn is missing; name at least one of 'create', 'update' and 'delete'")
            }
        } else if let key = query != nil ? "query" : !firesOn.isEmpty ? "firesOn" : firesOnce ? "firesOnce" : nil {
            throw .badRequest("\(known: key) is for subscriptions of type 'query' only")
        }
    }

    var namesZone: Bool { zoneName != nil }

    /// The watched zone; a query watches the default zone unless it names another.
    func zone(in database: DatabaseAddress) throws(ServerError) -> ZoneID? {
        if kind == .database || isZoneWide { return nil }
        // Shared databases have no default zone, and no query subscriptions.
        if case .shared = database { return nil }
        return try database.zone(zoneName ?? .default)
    }

    func echo(_ object: JSONObject, name: String, zone: ZoneID?) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            writer.member("subscriptionID", name)
            writer.member("subscriptionType", type)
            if let zone {
                writer.key("zoneID")
                zone.write(to: &writer)
            }
            for key in ["zoneWide", "query", "firesOn", "firesOnce", "notificationInfo"] {
                guard let value = object[key] else { continue }
                writer.key(key)
                writer.value(value)
            }
        }
        return writer.bytes
    }

    private static func type(_ object: JSONObject) throws(ServerError) -> String {
        guard let value = object["subscriptionType"] else { throw .badRequest("subscriptionType is missing") }
        guard let type = value.string else {
            throw .badRequest("subscriptionType must be a string, not \(known: value.kind)")
        }
        return type
    }

    /// Clients may also send a database subscription as a zone subscription for all zones.
    private static func kind(
        _ type: String, _ zone: ZoneName?, _ isZoneWide: Bool
    ) throws(ServerError) -> SubscriptionKind {
        switch type {
        case "query": return .query
        case "zone":
            if isZoneWide { return .database }
            if zone == nil { throw .badRequest("zoneID is missing: a zone subscription is for one zone") }
            return .zone
        case "database":
            if zone != nil { throw .badRequest("zoneID is not for subscriptions of type 'database'") }
            return .database
        default:
            throw .badRequest(
                "subscriptionType '\(Naming.shown(type))' is unknown: it is 'query', 'zone' or 'database'")
        }
    }

    private static func reasons(_ object: JSONObject) throws(ServerError) -> FiringReasons {
        guard let value = object["firesOn"] else { return [] }
        guard let array = value.array else { throw .badRequest("firesOn must be an array, not \(known: value.kind)") }
        var reasons: FiringReasons = []
        for element in array {
            guard let name = element.string, let reason = FiringReasons(name: name) else {
                throw .badRequest("firesOn may hold 'create', 'update' and 'delete' only")
            }
            reasons.insert(reason)
        }
        return reasons
    }

    private static func flag(_ key: String, _ object: JSONObject) throws(ServerError) -> Bool {
        guard let value = object[key] else { return false }
        guard let flag = value.bool else {
            throw .badRequest("\(known: key) must be true or false, not \(known: value.kind)")
        }
        return flag
    }
}
