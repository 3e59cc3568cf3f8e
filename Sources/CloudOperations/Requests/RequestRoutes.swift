import CloudAccounts
package import CloudModel

/// The routes of `/admin/1/requests`. The server answers them itself, from the records in its memory.
package enum RequestRoutes {
    static let list = DescribedRoute(
        OperationRoute(
            line: .get("requests", .operations).unknown(.ignored),
            text: OperationText(
                "listRequests", "Requests that the server has answered, oldest first.",
                "A management token for one container sees that container's requests. With `--dev` programs of this machine "
                    + "need no token, and every refused request has the header `X-Cumulus-Request` with the address of its "
                    + "record."),
            parameters: RequestPage.fields.parameters, audit: .own),
        RequestList.self, neverRefuses: ["404", "409", "413"])

    static let show = DescribedRoute(
        OperationRoute(
            line: .get("requests/{uuid}", .operations).unknown(.ignored),
            text: OperationText("showRequest", "One request, with the decisions on its way."),
            parameters: RequestIdentity.fields.parameters, audit: .own),
        RequestInfo.self, neverRefuses: ["409", "413"])
}

/// A page of the records of requests.
package struct RequestPage: OperationInput {
    package let container: String?
    package let user: String?
    package let route: String?
    package let code: ServerError.Code?
    /// In milliseconds.
    package let slower: Int64?
    package let refused: Bool
    package let after: Int64?
    package let limit: Int64

    /// Records of a page: the default and the maximum.
    package static let (usualLimit, largestLimit) = (100, 1000)

    package static let fields = InputFields(
        Self.init, .word("container", \.container, "Only requests about this container."),
        .word("user", \.user, "Only requests of this user record name."),
        .word("route", \.route, "Only requests of this route, such as `records/query` or `private/records/query`."),
        .code("code", \.code, "Only requests with this error, such as CONFLICT, or with an operation that has it."),
        .shownNumber("slower", \.slower, in: 0...86_400_000, "Only requests that took more milliseconds."),
        .refused("refused", \.refused, "Only requests that were refused, or with an operation that was."),
        .shownNumber(
            "after", \.after, in: 0...Int.max,
            "The position to go on after, from `next` of an earlier answer; without it the last there are."),
        .limit("limit", \.limit, "How many at most; \(usualLimit) without."))
}

/// A request.
struct RequestIdentity: OperationInput {
    let uuid: String

    static let fields = InputFields(
        Self.init,
        .text("uuid", \.uuid, "What an error calls `uuid`, and every answer has in `X-Apple-Request-UUID`."))
}

// The refusals of these fields show the value.

extension InputField where Value == String? {
    /// A text to compare with, of any characters.
    fileprivate static func word(
        _ name: String, _ property: InputProperty<Input, Value>, _ about: String
    ) -> Self {
        let parameter = Parameter(name: name, kind: .text(atMost: 0), about: about)
        return Self(parameter, property, read: { $0[name]?.string }, json: { $0.map(JSONValue.string) })
    }
}

extension InputField where Value == ServerError.Code? {
    /// An error code, in upper or lower case.
    fileprivate static func code(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: name, kind: .text(atMost: 0), about: about)
        return Self(parameter, property) { arguments in
            guard let text = arguments[name]?.string else { return nil }
            guard let code = ServerError.Code(rawValue: text.uppercased()) else {
                let codes = ServerError.Code.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServerError.badRequest(
                    "\(known: name) must be one of \(known: codes), not '\(Naming.shown(text))'")
            }
            return code
        } json: {
            $0.map { .string($0.rawValue) }
        }
    }
}

extension InputField where Value == Int64? {
    fileprivate static func shownNumber(
        _ name: String, _ property: InputProperty<Input, Value>, in range: ClosedRange<Int>, _ about: String
    ) -> Self {
        let range = Int64(range.lowerBound)...Int64(range.upperBound)
        return Self(
            Parameter(name: name, kind: .number(range), about: about), property,
            read: { try number(name, in: range, $0) }, json: { $0.map(JSONValue.integer) })
    }

    fileprivate static func number(
        _ name: String, in range: ClosedRange<Int64>, _ arguments: Arguments
    ) throws(ServerError) -> Int64? {
        guard let text = arguments[name]?.string else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .badRequest(
                "\(known: name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not "
                    + "'\(Naming.shown(text))'")
        }
        return number
    }
}

extension InputField where Value == Int64, Input == RequestPage {
    fileprivate static func limit(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let (range, standard) = (1...Int64(RequestPage.largestLimit), Int64(RequestPage.usualLimit))
        return Self(
            Parameter(name: name, kind: .number(range), about: about, standard: .integer(standard)), property,
            read: { try InputField<Input, Int64?>.number(name, in: range, $0) ?? standard }, json: { .integer($0) })
    }
}

extension InputField where Value == Bool {
    fileprivate static func refused(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: name, kind: .choice(["true", "false"]), about: about)
        return Self(parameter, property) { arguments in
            switch arguments[name]?.string {
            case nil, "false": return false
            case "true", "": return true
            case let other?:
                throw ServerError.badRequest("\(known: name) must be true or false, not '\(Naming.shown(other))'")
            }
        } json: {
            $0 ? .string("true") : nil
        }
    }
}
