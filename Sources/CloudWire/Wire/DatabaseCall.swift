package import CloudHTTP
package import CloudModel
package import CloudStore

/// A call of an endpoint under `/database/1`, `/device/1` or `/keyvalue/1`: identity, options and parsed body.
package final class DatabaseCall: Sendable {
    package let identity: Identity
    package let scope: DatabaseScope
    package let body: JSONObject
    package let options: QueryString
    package let accounts: AccountStore
    package let store: EnvironmentStore
    package let limits: Limits
    package let links: AssetLinkWriter
    package let push: PushContext
    /// Limits the record bytes of the answer.
    package let allowance: ResponseAllowance
    package let trace: RequestTrace
    /// A fault injected by a test; nil for none.
    package let fault: CallFault?

    package init(
        identity: Identity, scope: DatabaseScope, body: JSONObject, options: QueryString, accounts: AccountStore,
        store: EnvironmentStore, limits: Limits, links: AssetLinkWriter, push: PushContext,
        allowance: ResponseAllowance, trace: RequestTrace, fault: CallFault? = nil
    ) {
        self.identity = identity
        self.scope = scope
        self.body = body
        self.options = options
        self.accounts = accounts
        self.store = store
        self.limits = limits
        self.links = links
        self.push = push
        self.allowance = allowance
        self.trace = trace
        self.fault = fault
    }
}

/// An endpoint, which answers a call or throws a `ServerError`.
package typealias Endpoint = @Sendable (DatabaseCall) async throws -> JSONWriter

/// A read-only endpoint, which returns the read behind its answer.
package typealias ReadEndpoint = @Sendable (DatabaseCall) throws -> StoreRead<JSONWriter>

/// A database endpoint, either fit for the event loop or not.
package enum DatabaseEndpoint: Sendable {
    /// Runs on the event loop if its data is in memory.
    case read(ReadEndpoint)
    /// Runs in a task.
    case work(Endpoint)

    /// Answers within the caller's task.
    package func answer(_ call: DatabaseCall) async throws -> JSONWriter {
        switch self {
        case .read(let endpoint): try await endpoint(call).answer()
        case .work(let endpoint): try await endpoint(call)
        }
    }
}

extension DatabaseCall {
    /// A stored record with links, reduced to the requested keys.
    package func shown(_ body: RecordBody, _ presentation: Presentation) throws -> RecordBody {
        try presentation.apply(to: links.filled(body))
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
