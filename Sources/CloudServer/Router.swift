import CloudModel
import HTTPTypes

/// The whole route table on one page.
struct Router: Sendable {
    enum Route: Sendable {
        /// An endpoint of a container's database, or of its push tokens or key-value stores, which count as private.
        case database(container: String, environment: ContainerEnvironment, DatabaseScope, Endpoint)
        /// Receives the bytes of an asset.
        case upload(token: String)
        /// Sends the bytes of an asset; clients put a file's name last.
        case asset(AssetPlace, key: Substring, name: Substring)
        case preview(AssetPlace, key: Substring, size: Substring)
        /// A page of the server's own, for people.
        case page([HTTPRequest.Method: PageEndpoint], parameters: [String])
        /// Everything that somebody has shared in a container, or one thing of it.
        case links(container: String, environment: ContainerEnvironment, id: String?)
        /// Operators' work on schemas and roles.
        case admin(AdminRoutes.Match)
        /// Records of requests: one, or those that a filter lets through.
        case requests(id: String?)
        case developmentSession
        case front
        case health
        /// Tells if a write can be made.
        case readiness
        /// Notifications for a push token, one by one and as a stream.
        case wait(Wait)
        /// A person asks to be let into the share with this short GUID.
        case requestAccess(share: String)
    }

    /// The route that answers a path, and the methods it answers.
    struct Match: Sendable {
        let route: Route
        let methods: Set<HTTPRequest.Method>
        /// The route as records, logs and metrics name it: the pattern that the path fits, never the path.
        let name: Substring
    }

    /// An endpoint that answers only when there is something to tell.
    enum Wait: String {
        case poll = "/aps"
        case stream = "/events"
    }

    let dev: Bool

    private static let databasePrefix = Array("/database/1/".utf8)

    /// The server's own paths, beside those of the protocol.
    private static let own: [Substring: Match] = [
        "/": Match(route: .front, methods: [.get, .head], name: "/"),
        "/health": Match(route: .health, methods: [.get], name: "/health"),
        "/ready": Match(route: .readiness, methods: [.get], name: "/ready"),
        "/aps": Match(route: .wait(.poll), methods: [.get], name: "/aps"),
        "/events": Match(route: .wait(.stream), methods: [.get], name: "/events"),
        "/auth/dev/session": Match(route: .developmentSession, methods: [.post], name: "/auth/dev/session"),
    ]

    /// Endpoints under `/database/1/{container}/{environment}/{database}/` (reference A §1.2, B §1).
    /// Those without a payload are GETs that some clients POST.
    private static let database: [Substring: (Endpoint, Set<HTTPRequest.Method>)] = [
        "records/modify": (RecordEndpoints.modify, [.post]),
        "records/query": (RecordEndpoints.query, [.post]),
        "records/lookup": (RecordEndpoints.lookup, [.post]),
        "records/resolve": (ShareEndpoints.resolve, [.post]),
        "records/accept": (ShareEndpoints.accept, [.post]),
        "records/changes": (ChangeEndpoints.records, [.post]),
        "changes/zone": (ChangeEndpoints.zone, [.post]),
        "changes/database": (ChangeEndpoints.database, [.post]),
        "zones/list": (ZoneEndpoints.list, [.get, .post]),
        "zones/lookup": (ZoneEndpoints.lookup, [.post]),
        "zones/modify": (ZoneEndpoints.modify, [.post]),
        "zones/changes": (ChangeEndpoints.zones, [.post]),
        "subscriptions/list": (SubscriptionEndpoints.list, [.get, .post]),
        "subscriptions/lookup": (SubscriptionEndpoints.lookup, [.post]),
        "subscriptions/modify": (SubscriptionEndpoints.modify, [.post]),
        "assets/upload": (AssetEndpoints.upload, [.post]),
        "assets/rereference": (AssetEndpoints.rereference, [.post]),
        "users/caller": (UserEndpoints.caller, [.get, .post]),
        "users/current": (UserEndpoints.current, [.get, .post]),
        "users/discover": (UserEndpoints.discover, [.get, .post]),
        "users/lookup/email": (UserEndpoints.lookUpByEmail, [.post]),
        "users/lookup/id": (UserEndpoints.lookUpByID, [.post]),
        "users/lookup/contacts": (UserEndpoints.lookUpContacts, [.get, .post]),
    ]

    /// Endpoints under `/device/1/{container}/{environment}/` and both longer paths that clients use (reference B §7.1).
    private static let tokens: [Substring: (Endpoint, Set<HTTPRequest.Method>)] = [
        "tokens/create": (TokenEndpoints.create, [.post]),
        "tokens/register": (TokenEndpoints.register, [.post]),
    ]

    /// Endpoints under `/keyvalue/1/{container}/{environment}/`.
    private static let keyValue: [Substring: (Endpoint, Set<HTTPRequest.Method>)] = [
        "modify": (KeyValueEndpoints.modify, [.post]),
        "changes": (KeyValueEndpoints.changes, [.post]),
        "values": (KeyValueEndpoints.values, [.get, .post]),
    ]

    private static let keyValueNames: [Substring: Substring] = [
        "modify": "keyvalue/modify", "changes": "keyvalue/changes", "values": "keyvalue/values",
    ]

    /// - Parameter path: as received, without the query.
    /// - Returns: nil for a path that nothing answers.
    func match(_ path: Substring) -> Match? {
        let match =
            databaseMatch(path) ?? tokenMatch(path) ?? keyValueMatch(path) ?? assetMatch(path) ?? shareMatch(path)
            ?? linksMatch(path)
        if let match { return match }
        if let admin = AdminRoutes.match(path) {
            return Match(route: .admin(admin), methods: Set(admin.endpoints.keys), name: admin.name)
        }
        if let requests = requestsMatch(path) { return requests }
        if let own = Self.own[path] {
            if case .developmentSession = own.route, !dev { return nil }
            return own
        }
        guard let page = PageRoutes.match(path) else { return nil }
        return Match(
            route: .page(page.endpoints, parameters: page.parameters), methods: Set(page.endpoints.keys),
            name: page.pattern[...])
    }

    /// Every path there is, with its methods, in the notation of the API's description.
    static var paths: [String: Set<HTTPRequest.Method>] {
        var paths = Dictionary(uniqueKeysWithValues: own.map { (String($0), $1.methods) })
        for (path, methods) in assets { paths[path] = methods }
        paths["/share/{id}/request-access"] = [.post]
        for (pattern, endpoints) in PageRoutes.table { paths[pattern] = Set(endpoints.keys) }
        for (pattern, endpoints) in AdminRoutes.table { paths[AdminRoutes.start + pattern] = Set(endpoints.keys) }
        paths["/admin/1/requests"] = [.get]
        paths["/admin/1/requests/{uuid}"] = [.get]
        paths[links] = [.get]
        paths[links + "/{id}"] = linkMethods
        for (name, (_, methods)) in database {
            paths["/database/1/{container}/{environment}/{database}/\(name)"] = methods
        }
        for (name, (_, methods)) in tokens {
            for start in ["/device/1/{container}/{environment}", "/database/1/{container}/{environment}"] {
                paths["\(start)/\(name)"] = methods
            }
            paths["/database/1/{container}/{environment}/{database}/\(name)"] = methods
        }
        for (name, (_, methods)) in keyValue { paths["/keyvalue/1/{container}/{environment}/\(name)"] = methods }
        return paths
    }

    /// Paths that signed links lead to.
    private static let assets: [String: Set<HTTPRequest.Method>] = [
        "/uploads/{token}": [.post],
        "/assets/{container}/{environment}/{key}/{name}": [.get, .head],
        "/previews/{container}/{environment}/{key}/{size}": [.get, .head],
    ]

    private func assetMatch(_ path: Substring) -> Match? {
        let parts = path.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].isEmpty else { return nil }
        if parts.count == 3, parts[1] == "uploads", !parts[2].isEmpty {
            return Match(route: .upload(token: String(parts[2])), methods: [.post], name: "/uploads")
        }
        guard parts.count == 6, let environment = ContainerEnvironment(rawValue: String(parts[3])) else { return nil }
        let place = AssetPlace(container: String(parts[2]), environment: environment)
        switch parts[1] {
        case "assets":
            return Match(route: .asset(place, key: parts[4], name: parts[5]), methods: [.get, .head], name: "/assets")
        case "previews":
            return Match(
                route: .preview(place, key: parts[4], size: parts[5]), methods: [.get, .head], name: "/previews")
        default: return nil
        }
    }

    private func shareMatch(_ path: Substring) -> Match? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, Substring(parts[1]) == "share", !parts[2].isEmpty,
            Substring(parts[3]) == "request-access"
        else { return nil }
        return Match(
            route: .requestAccess(share: PercentEncoding.decode(parts[2])), methods: [.post],
            name: "/share/{id}/request-access")
    }

    private func requestsMatch(_ path: Substring) -> Match? {
        let start = "/admin/1/requests"
        guard path.hasPrefix(start) else { return nil }
        if path.utf8.count == start.utf8.count {
            return Match(route: .requests(id: nil), methods: [.get], name: RequestRecord.ownRoute[...])
        }
        let rest = path.dropFirst(start.count)
        guard rest.hasPrefix("/"), rest.utf8.count > 1, !rest.dropFirst().contains("/") else { return nil }
        return Match(
            route: .requests(id: PercentEncoding.decode(rest.dropFirst().utf8)), methods: [.get],
            name: "\(RequestRecord.ownRoute)/{uuid}")
    }

    private static let links = "/share/1/{container}/{environment}/links"
    private static let linkMethods: Set<HTTPRequest.Method> = [.get, .put, .delete]

    private func linksMatch(_ path: Substring) -> Match? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 6 || parts.count == 7, parts[1] == "share", parts[2] == "1", parts[5] == "links",
            let environment = ContainerEnvironment(rawValue: parts[4].lowercased()), parts.last?.isEmpty == false
        else { return nil }
        let id = parts.count == 7 ? PercentEncoding.decode(parts[6].utf8) : nil
        return Match(
            route: .links(container: PercentEncoding.decode(parts[3].utf8), environment: environment, id: id),
            methods: id == nil ? [.get] : Self.linkMethods, name: id == nil ? "share/links" : "share/links/{id}")
    }

    private func tokenMatch(_ path: Substring) -> Match? {
        guard path.hasSuffix("/create") || path.hasSuffix("/register") else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isLong = parts.count == 8 && parts[1] == "database" && DatabaseScope(rawValue: String(parts[5])) != nil
        let isShort = parts.count == 7 && (parts[1] == "device" || parts[1] == "database")
        guard isLong || isShort, parts[0].isEmpty, parts[2] == "1",
            let environment = ContainerEnvironment(rawValue: parts[4].lowercased()),
            let found = Self.tokens.index(forKey: parts.suffix(2).joined(separator: "/")[...])
        else { return nil }
        let (name, (endpoint, methods)) = Self.tokens[found]
        return Match(
            route: .database(
                container: PercentEncoding.decode(parts[3].utf8), environment: environment, .private, endpoint),
            methods: methods, name: name)
    }

    private func keyValueMatch(_ path: Substring) -> Match? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, Substring(parts[1]) == "keyvalue", Substring(parts[2]) == "1",
            let environment = ContainerEnvironment(rawValue: String(Substring(parts[4])).lowercased()),
            let found = Self.keyValue.index(forKey: Substring(parts[5]))
        else { return nil }
        let (name, (endpoint, methods)) = Self.keyValue[found]
        let container = PercentEncoding.decode(parts[3])
        return Match(
            route: .database(container: container, environment: environment, .private, endpoint), methods: methods,
            name: Self.keyValueNames[name] ?? name)
    }

    private func databaseMatch(_ path: Substring) -> Match? {
        // Bytes, because a path is ASCII and splitting characters would cost more than the lookup of a record.
        let bytes = path.utf8
        guard bytes.starts(with: Self.databasePrefix) else { return nil }
        let parts = bytes.dropFirst(Self.databasePrefix.count)
            .split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4,
            let environment = ContainerEnvironment(rawValue: String(Substring(parts[1])).lowercased()),
            let scope = DatabaseScope(rawValue: String(Substring(parts[2]))),
            let found = Self.database.index(forKey: Substring(parts[3]))
        else { return nil }
        let (name, (endpoint, methods)) = Self.database[found]
        let container = PercentEncoding.decode(parts[0])
        return Match(
            route: .database(container: container, environment: environment, scope, endpoint), methods: methods,
            name: name)
    }
}

extension Router.Route {
    /// The container and environment it is about, for routes that a user signs in to.
    var place: (container: String, environment: ContainerEnvironment)? {
        switch self {
        case .database(let container, let environment, _, _), .links(let container, let environment, _):
            (container, environment)
        default: nil
        }
    }
}
