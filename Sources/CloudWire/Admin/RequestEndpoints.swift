package import CloudHTTP
package import CloudModel
import CloudOperations
import CloudStore

/// `/admin/1/requests`: request records for operators. A token of a single container sees only its container's records.
extension WireService {
    private static let mostRecords = 1000
    private static let usualRecords = 100

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
            let query = FormFields(request.query.utf8)
            var filter = try RequestFilter(query)
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
                after: try query.number("after", in: 0...Int64.max),
                limit: Int(try query.number("limit", in: 1...Int64(Self.mostRecords)) ?? Int64(Self.usualRecords)),
                filter)
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

extension RequestFilter {
    /// - Throws: `BAD_REQUEST` for a malformed parameter.
    package init(_ query: FormFields) throws(ServerError) {
        self.init()
        container = query["container"]
        user = query["user"]
        route = query["route"]
        if let text = query["code"] {
            guard let known = ServerError.Code(rawValue: text.uppercased()) else {
                let codes = ServerError.Code.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badRequest("code must be one of \(known: codes), not '\(Naming.shown(text))'")
            }
            code = known
        }
        slower = try query.number("slower", in: 0...86_400_000).map(Duration.milliseconds)
        switch query["refused"] {
        case nil, "false": break
        case "true", "": refusedOnly = true
        case let other?: throw .badRequest("refused must be true or false, not '\(Naming.shown(other))'")
        }
    }
}

extension FormFields {
    /// An optional whole number from the query.
    fileprivate func number(_ name: StaticString, in range: ClosedRange<Int64>) throws(ServerError) -> Int64? {
        guard let text = self["\(name)"] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .badRequest(
                "\(known: name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not "
                    + "'\(Naming.shown(text))'")
        }
        return number
    }
}
