package import CloudAccounts
package import CloudHTTP
package import CloudModel
package import CloudStore

/// A call of an endpoint under `/database/1`, `/device/1` or `/keyvalue/1`: identity, options and parsed body.
package final class DatabaseCall: Sendable {
    package let identity: Identity
    package let scope: DatabaseScope
    package let body: JSONObject
    package let options: QueryString
    package let store: EnvironmentStore
    private let services: CallServices
    /// Scheme, host and port of the server, as the client sees them.
    private let origin: String
    /// Limits the record bytes of the answer.
    package let allowance: ResponseAllowance
    package let trace: RequestTrace
    /// A fault injected by a test; nil for none.
    package let fault: CallFault?

    package init(
        identity: Identity, scope: DatabaseScope, body: JSONObject, options: QueryString, store: EnvironmentStore,
        services: CallServices, origin: String, allowance: ResponseAllowance, trace: RequestTrace,
        fault: CallFault? = nil
    ) {
        self.identity = identity
        self.scope = scope
        self.body = body
        self.options = options
        self.store = store
        self.services = services
        self.origin = origin
        self.allowance = allowance
        self.trace = trace
        self.fault = fault
    }
}

extension DatabaseCall {
    package var accounts: AccountStore { services.accounts }
    package var limits: Limits { services.limits }
    package var push: PushContext {
        PushContext(origin: origin, lifetime: services.pushLifetime, stores: services.stores)
    }

    /// Makes the links of the answer's assets.
    package var links: AssetLinkWriter {
        services.links.links(
            container: identity.container.name, environment: identity.environment, origin: origin)
    }

    /// A stored record with links, reduced to the requested keys.
    package func shown(_ body: RecordBody, _ presentation: Presentation) throws -> RecordBody {
        try presentation.apply(to: body.hasAssets ? links.filled(body) : body)
    }

    /// The client's self-assigned ID, from the parameter `clientId`.
    package func clientID() throws(ServerError) -> String? { try ClientID.checked(options.clientID) }

    /// The database that the call addresses.
    ///
    /// - Throws: `AUTHENTICATION_REQUIRED` for a private or shared database without a user.
    package func database() throws(ServerError) -> DatabaseAddress {
        switch scope {
        case .public: .public
        case .private: .private(owner: try signedInName())
        case .shared: .shared(with: try signedInName())
        }
    }

    /// Parses a zone ID; nil means the default zone.
    package func zone(_ json: JSONValue?) throws(ServerError) -> ZoneID {
        let database = try database()
        let name: ZoneName = if let json { try ZoneName(json) } else { .default }
        return try database.zone(name)
    }

    /// Parses the page size: by default the maximum, which also caps larger values (reference A §5.1).
    func resultsLimit(_ object: JSONObject) throws(ServerError) -> Int {
        let most = min(limits.recordsPerResponse, fault?.pageSize ?? .max)
        guard let value = object["resultsLimit"] else { return most }
        let given: Int64
        switch value {
        case .integer(let integer): given = integer
        case .number(let number) where number == number.rounded():
            given = Int64(exactly: number) ?? (number > 0 ? .max : 0)
        case .string(let text) where Int64(text) != nil: given = Int64(text) ?? 0
        default: throw .badRequest("resultsLimit must be a whole number, not \(known: value.kind)")
        }
        guard given > 0 else { return most }
        return Int(min(given, Int64(most)))
    }

    /// Elements of an array in the body; a single object counts as an array (reference A §1.3).
    package func elements(_ key: String, limit: Int) throws(ServerError) -> [JSONValue] {
        let elements: [JSONValue]
        switch body[key] {
        case nil: throw .badRequest("\(known: key) is missing")
        case .array(let array): elements = array
        case .object(let object): elements = [.object(object)]
        case let other?: throw .badRequest("\(known: key) must be an array, not \(known: other.kind)")
        }
        guard elements.count <= limit else {
            throw .badRequest(
                "Your request contains \(elements.count) items in \(known: key), which is more than the maximum number "
                    + "of items in a single request (\(limit))", .limit(limit))
        }
        return elements
    }
}
