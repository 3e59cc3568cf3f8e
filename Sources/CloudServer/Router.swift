import CloudModel
import HTTPTypes

/// The whole route table on one page.
struct Router: Sendable {
    enum Route: Sendable {
        /// An endpoint of a container's database.
        case database(container: String, environment: ContainerEnvironment, DatabaseScope, Endpoint)
        /// A page of the server's own, for people.
        case page([HTTPRequest.Method: PageEndpoint], parameters: [String])
        case developmentSession
        case health
    }

    /// What answers a path, and by which methods.
    struct Match: Sendable {
        let route: Route
        let methods: Set<HTTPRequest.Method>
    }

    let dev: Bool

    private static let databasePrefix = Array("/database/1/".utf8)

    /// The server's own paths, beside those of the protocol.
    private static let own: [Substring: Match] = [
        "/health": Match(route: .health, methods: [.get]),
        "/auth/dev/session": Match(route: .developmentSession, methods: [.post]),
    ]

    /// Endpoints under `/database/1/{container}/{environment}/{database}/` (reference A §1.2, B §1).
    /// Those without a payload are GETs that some clients POST.
    private static let database: [Substring: (Endpoint, Set<HTTPRequest.Method>)] = [
        "records/modify": (RecordEndpoints.modify, [.post]),
        "records/query": (RecordEndpoints.query, [.post]),
        "records/lookup": (RecordEndpoints.lookup, [.post]),
        "records/changes": (ChangeEndpoints.records, [.post]),
        "changes/zone": (ChangeEndpoints.zone, [.post]),
        "changes/database": (ChangeEndpoints.database, [.post]),
        "zones/list": (ZoneEndpoints.list, [.get, .post]),
        "zones/lookup": (ZoneEndpoints.lookup, [.post]),
        "zones/modify": (ZoneEndpoints.modify, [.post]),
        "zones/changes": (ChangeEndpoints.zones, [.post]),
        "users/caller": (UserEndpoints.caller, [.get, .post]),
        "users/current": (UserEndpoints.current, [.get, .post]),
        "users/discover": (UserEndpoints.discover, [.get, .post]),
        "users/lookup/email": (UserEndpoints.lookUpByEmail, [.post]),
        "users/lookup/id": (UserEndpoints.lookUpByID, [.post]),
        "users/lookup/contacts": (UserEndpoints.lookUpContacts, [.get, .post]),
    ]

    /// - Parameter path: as received, without the query.
    /// - Returns: nil for a path that nothing answers.
    func match(_ path: Substring) -> Match? {
        if let match = databaseMatch(path) { return match }
        if let own = Self.own[path] {
            if case .developmentSession = own.route, !dev { return nil }
            return own
        }
        guard let page = PageRoutes.match(path) else { return nil }
        return Match(
            route: .page(page.endpoints, parameters: page.parameters), methods: Set(page.endpoints.keys))
    }

    /// Every path there is, with its methods, in the notation of the API's description.
    static var paths: [String: Set<HTTPRequest.Method>] {
        var paths = Dictionary(uniqueKeysWithValues: own.map { (String($0), $1.methods) })
        for (pattern, endpoints) in PageRoutes.table { paths[pattern] = Set(endpoints.keys) }
        for (name, (_, methods)) in database {
            paths["/database/1/{container}/{environment}/{database}/\(name)"] = methods
        }
        return paths
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
            let (endpoint, methods) = Self.database[Substring(parts[3])]
        else { return nil }
        let container = PercentEncoding.decode(parts[0])
        return Match(
            route: .database(container: container, environment: environment, scope, endpoint), methods: methods)
    }
}
