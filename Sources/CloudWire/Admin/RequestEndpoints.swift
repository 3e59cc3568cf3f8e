import CloudAccounts
package import CloudHTTP
import CloudModel
import CloudOperations

/// `/admin/1/requests`: request records for operators. A token of a single container sees only its container's records.
extension WireService {
    /// - Parameter id: the id of a request; nil to list requests by filter.
    package func respond(_ request: Request, requestWithID id: String?, _ context: CloudRequestContext) async throws
        -> Response
    {
        let identity = try await reader(request, context)
        let container = identity.container
        var writer = JSONWriter(capacity: 4096)
        if let id {
            guard let record = recorder.log.find(id: id), container == nil || record.container == container else {
                throw ServerError(
                    .notFound,
                    "no request with this uuid is kept; the server keeps the last \(http.requests.count)",
                    .missing(.request))
            }
            try await noteLook(
                at: ["container": record.container.map(JSONValue.string), "id": .string(id)], by: identity)
            let addresses = try await UserAddresses(
                of: [(record.user, record.container)], seenBy: identity, accounts)
            record.write(to: &writer, email: record.user.flatMap { addresses[$0] })
        } else {
            let page = try RequestPage(FormFields(request.query.utf8))
            var filter = RequestFilter(page)
            if let container {
                guard filter.container == nil || filter.container == container else {
                    throw ServerError(
                        .accessDenied, "this management token is for another container",
                        .credentials(.managementTokenOfAnotherContainer))
                }
                filter.container = container
            }
            try await noteLook(
                at: [
                    "container": filter.container.map(JSONValue.string), "person": filter.user.map(JSONValue.string),
                ], by: identity)
            let found = recorder.log.records(
                after: page.after, limit: Int(page.limit), filter)
            let addresses = try await UserAddresses(
                of: found.records.map { ($0.user, $0.container) }, seenBy: identity, accounts)
            writer.object {
                $0.key("requests")
                $0.array {
                    for record in found.records {
                        record.write(to: &$0, email: record.user.flatMap { addresses[$0] })
                    }
                }
                $0.member("next", found.next)
            }
        }
        var response = Response.json(writer)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Admits holders of a management token, and with `--dev` callers on this machine.
    ///
    /// - Returns: the caller's identity.
    private func reader(_ request: Request, _ context: CloudRequestContext) async throws -> OperatorIdentity {
        if http.dev, request.headers[.authorization] == nil {
            if let fault = DevelopmentGate(http).fault(request.head) {
                throw ServerError(.accessDenied, fault, .credentials(.notForTests))
            }
            return OperatorIdentity(name: "this machine (--dev)")
        }
        let token = try await managementToken(request, from: http.client(of: request, context), context)
        let identity = OperatorIdentity(token)
        try identity.require([.operations])
        return identity
    }

    private func noteLook(at arguments: Arguments, by identity: OperatorIdentity) async throws {
        let operations = StoreOperations(workplace: workplace(origin: ""), identity: identity)
        try await operations.noteLook("looked at requests", arguments)
    }
}

extension RequestPage {
    /// The page that a query asks for; other names of the query are ignored.
    fileprivate init(_ query: FormFields) throws {
        var arguments = Arguments()
        for name in Self.fields.parameters.map(\.name) { arguments[name] = query[name].map(JSONValue.string) }
        try self.init(arguments)
    }
}

extension RequestFilter {
    fileprivate init(_ page: RequestPage) {
        self.init()
        container = page.container
        user = page.user
        route = page.route
        code = page.code
        slower = page.slower.map(Duration.milliseconds)
        refusedOnly = page.refused
    }
}
