import CloudHTTP
import CloudWire
import CloudPages
import CloudEmulator
import CloudConsole
import CloudModel

/// A row of the route table. A class, since requests pass their row along.
final class RouteRow: Sendable {
    let info: RouteInfo
    /// The route for a method, where HEAD means GET; nil for an unsupported method.
    let route: @Sendable (PathValues, HTTPRequest.Method) -> Route?

    var pattern: String { info.pattern }
    var name: String { info.name }
    var methods: Set<HTTPRequest.Method> { info.methods }
    var kind: RouteKind { info.kind }
    var isForDevelopment: Bool { info.isForDevelopment }
    var isForPeople: Bool { info.isForPeople }

    private convenience init(
        _ pattern: String, name: String? = nil, _ methods: Set<HTTPRequest.Method>, isForDevelopment: Bool = false,
        _ route: @escaping @Sendable (PathValues) -> WireRoute?
    ) {
        let bits = methods.reduce(0) { $0 | $1.bit }
        self.init(pattern, name: name, methods, .wire, isForDevelopment: isForDevelopment) {
            bits & $1.bit != 0 ? route($0).map(Route.wire) : nil
        }
    }

    init(
        _ pattern: String, name: String? = nil, _ methods: Set<HTTPRequest.Method>, _ kind: RouteKind,
        isForDevelopment: Bool = false, isForPeople: Bool = false,
        by route: @escaping @Sendable (PathValues, HTTPRequest.Method) -> Route?
    ) {
        info = RouteInfo(
            pattern, name: name, methods, kind, isForDevelopment: isForDevelopment, isForPeople: isForPeople)
        self.route = { route($0, $1 == .head ? .get : $1) }
    }
}

extension RouteRow {
    static let all: [RouteRow] = own + emulator + databases + devices + keyValues + assets + links + admin + pages

    private static let own = [
        RouteRow("/", [.get]) { _ in .front },
        RouteRow("/health", [.get]) { _ in .health },
        RouteRow("/ready", [.get]) { _ in .readiness },
        RouteRow("/doctor/{path}", [.get]) { _ in .probe },
        RouteRow("/aps", [.get], .wait, by: only(.get) { _ in .wait(.poll) }),
        RouteRow("/events", [.get], .wait, by: only(.get) { _ in .wait(.stream) }),
        RouteRow("/auth/dev/session", [.post], isForDevelopment: true) { _ in .developmentSession },
        RouteRow("/auth/exchange", [.post]) { _ in .exchange },
        RouteRow("/auth/exchange/nonce", [.post]) { _ in .exchangeNonce },
        RouteRow("/auth/with/{name}/notices", [.post]) { .notice(provider: $0.text(0)) },
    ]

    /// Test control routes, absent without `--dev`.
    private static let emulator = [
        RouteRow("/emulator/1/containers/{container}/seed", [.post], isForDevelopment: true) { values in
            values.container.map { .emulator(.seed(container: $0)) }
        },
        emulated("reset", [.post]) { _ in .reset },
        emulated("snapshots", [.get]) { _ in .snapshots },
        emulated("snapshots/{snapshot}", [.put, .delete]) { .snapshot($0.text(1)) },
        emulated("snapshots/{snapshot}/restore", [.post]) { .restore($0.text(1)) },
        RouteRow("/emulator/1/clock", [.get, .put], isForDevelopment: true) { _ in .emulator(.clock) },
        RouteRow("/emulator/1/lint", [.get, .post, .delete], isForDevelopment: true) { _ in .emulator(.lint) },
        RouteRow("/emulator/1/faults", [.get, .post, .delete], isForDevelopment: true) { _ in .emulator(.faults) },
    ]

    private static func emulated(
        _ path: String, _ methods: Set<HTTPRequest.Method>,
        _ action: @escaping @Sendable (PathValues) -> EmulatorRoute.ContainerAction
    ) -> RouteRow {
        RouteRow("/emulator/1/containers/{container}/" + path, methods, isForDevelopment: true) { values in
            values.container.map { .emulator(.container($0, action(values))) }
        }
    }

    /// Database endpoints (reference A §1.2, B §1): `.read` may run on the event loop, `.work` runs in a task. Endpoints
    /// without a payload take GET, and POST from some clients.
    private static let databases: [RouteRow] = [
        database("records/modify", .write(RecordEndpoints.modify)),
        database("records/query", .read(RecordEndpoints.query)),
        database("records/lookup", .read(RecordEndpoints.lookup)),
        database("records/resolve", .work(ShareEndpoints.resolve)),
        database("records/accept", .work(ShareEndpoints.accept)),
        database("records/changes", .read(ChangeEndpoints.records)),
        database("changes/zone", .read(ChangeEndpoints.zone)),
        database("changes/database", .read(ChangeEndpoints.database)),
        database("zones/list", .read(ZoneEndpoints.list), [.get, .post]),
        database("zones/lookup", .read(ZoneEndpoints.lookup)),
        database("zones/modify", .work(ZoneEndpoints.modify)), database("zones/changes", .read(ChangeEndpoints.zones)),
        database("subscriptions/list", .work(SubscriptionEndpoints.list), [.get, .post]),
        database("subscriptions/lookup", .work(SubscriptionEndpoints.lookup)),
        database("subscriptions/modify", .work(SubscriptionEndpoints.modify)),
        database("assets/upload", .work(AssetEndpoints.upload)),
        database("assets/rereference", .work(AssetEndpoints.rereference)),
        database("users/caller", .work(UserEndpoints.caller), [.get, .post]),
        database("users/current", .work(UserEndpoints.current), [.get, .post]),
        database("users/discover", .work(UserEndpoints.discover), [.get, .post]),
        database("users/lookup/email", .work(UserEndpoints.lookUpByEmail)),
        database("users/lookup/id", .work(UserEndpoints.lookUpByID)),
        database("users/lookup/contacts", .work(UserEndpoints.lookUpContacts), [.get, .post]),
    ]

    private static func database(
        _ name: String, _ endpoint: DatabaseEndpoint, _ methods: Set<HTTPRequest.Method> = [.post]
    ) -> RouteRow {
        RouteRow("/database/1/{container}/{environment}/{database}/" + name, name: name, methods) { values in
            values.place.flatMap { place in values.database.map { .database(place, $0, endpoint) } }
        }
    }

    /// Push token endpoints, at all paths in use by clients (reference B §7.1).
    private static let devices = device("create", TokenEndpoints.create) + device("register", TokenEndpoints.register)

    private static func device(_ verb: String, _ endpoint: @escaping Endpoint) -> [RouteRow] {
        [
            "/device/1/{container}/{environment}", "/database/1/{container}/{environment}",
            "/database/1/{container}/{environment}/{database}",
        ].map { ownDatabase("\($0)/tokens/\(verb)", name: "tokens/\(verb)", endpoint) }
    }

    private static let keyValues = [
        keyValue("modify", KeyValueEndpoints.modify), keyValue("changes", KeyValueEndpoints.changes),
        keyValue("values", KeyValueEndpoints.values, [.get, .post]),
    ]

    private static func keyValue(
        _ name: String, _ endpoint: @escaping Endpoint, _ methods: Set<HTTPRequest.Method> = [.post]
    ) -> RouteRow {
        ownDatabase("/keyvalue/1/{container}/{environment}/\(name)", name: "keyvalue/\(name)", endpoint, methods)
    }

    /// An endpoint on the caller's private data, whatever database the path names.
    private static func ownDatabase(
        _ pattern: String, name: String, _ endpoint: @escaping Endpoint, _ methods: Set<HTTPRequest.Method> = [.post]
    ) -> RouteRow {
        RouteRow(pattern, name: name, methods) { $0.place.map { .database($0, .private, .work(endpoint)) } }
    }

    /// Targets of signed links.
    private static let assets = [
        RouteRow(
            "/uploads/{token}", name: UploadRoute.name, [.post], .upload,
            by: only(.post) { .upload(token: String($0.raw(0))) }),
        RouteRow("/assets/{container}/{environment}/{key}/{name}", name: "/assets", [.get]) { values in
            values.assets.map { .asset($0, key: values.raw(2), name: values.raw(3)) }
        },
        RouteRow("/previews/{container}/{environment}/{key}/{size}", name: "/previews", [.get]) { values in
            values.assets.map { .preview($0, key: values.raw(2), size: values.raw(3)) }
        },
    ]

    /// API routes for a user's shares.
    private static let links = [
        RouteRow("/share/{id}/request-access", [.post]) { .requestAccess(share: $0.text(0)) },
        RouteRow("/share/1/{container}/{environment}/links", name: "share/links", [.get]) { values in
            values.place.map { .links($0, LinkEndpoints.list) }
        },
        RouteRow(
            "/share/1/{container}/{environment}/links/{id}", name: "share/links/{id}", Set(LinkEndpoints.one.keys),
            .wire
        ) { values, method in
            guard let place = values.place, let endpoint = LinkEndpoints.one[method] else { return nil }
            return .wire(.links(place, endpoint(values.text(2))))
        },
    ]

    private static let admin =
        AdminRoutes.table.map { pattern, endpoints in
            let name = "admin/" + pattern
            return RouteRow(AdminRoutes.start + pattern, name: name, Set(endpoints.keys), .wire) { values, method in
                endpoints[method].map {
                    .wire(.admin(AdminRoutes.Match(operation: $0, values: values)))
                }
            }
        } + [
            RouteRow("/admin/1/requests", name: RouteInfo.records, [.get]) { _ in .requests(id: nil) },
            RouteRow("/admin/1/requests/{uuid}", name: RouteInfo.records + "/{uuid}", [.get]) {
                .requests(id: $0.text(0))
            },
        ]

    /// Web pages and files.
    private static let pages =
        pages(
            [
                ("/client/{path}", [.get: ClientFiles.endpoint]), ("/apple-touch-icon.png", [.get: StaticFiles.icon]),
                ("/app-pictures/{name}", [.get: AppPictures.endpoint]),
            ] + SharePageRoutes.table, isForPeople: false)
        + pages(
            [("/static/{digest}/{name}", [.get: StaticFiles.endpoint])]
                + SignInRoutes.table + AccountRoutes.table + ConsoleRoutes.table, isForPeople: true)

    private static func pages(
        _ table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])], isForPeople: Bool
    ) -> [RouteRow] {
        table.map { pattern, endpoints in
            RouteRow(pattern, Set(endpoints.keys), .page, isForPeople: isForPeople) { values, method in
                endpoints[method].map { .page($0, parameters: values.texts) }
            }
        }
    }

    private static func only(
        _ method: HTTPRequest.Method, _ route: @escaping @Sendable (PathValues) -> Route
    ) -> @Sendable (PathValues, HTTPRequest.Method) -> Route? {
        { values, asked in asked == method ? route(values) : nil }
    }
}

extension PathValues {
    /// Container and environment of an asset path.
    fileprivate var assets: AssetPlace? { environment.map { AssetPlace(container: String(raw(0)), environment: $0) } }
}
