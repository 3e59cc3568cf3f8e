import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore

/// Endpoints that take short GUIDs of shares (reference B §9.6–§9.8), one file per endpoint.
package enum ShareEndpoints {}

extension DatabaseCall {
    /// The signed-in person who resolves or accepts a share.
    ///
    /// - Throws: `AUTHENTICATION_REQUIRED` without a user, `AUTHENTICATION_FAILED` for a server key, `BAD_REQUEST` outside
    ///   the public database.
    func sharingPerson() async throws -> Person {
        guard scope == .public else {
            throw ServerError.badRequest(
                "BadRequestException: endpoint not applicable in the database type '\(known: scope.rawValue)db'",
                .place(.database))
        }
        if case .serverKey = identity.caller {
            throw ServerError(
                .authenticationFailed, "shares are for people: a web auth token is needed, not a server-to-server key",
                .credentials(.notForKeys))
        }
        return try await person(try signedInName())
    }

    package func person(_ userRecordName: String) async throws -> Person {
        try await accounts.people.person(userRecordName: userRecordName, container: identity.container.id)
    }

    /// Answers each of the request's `shortGUIDs` by `find`.
    package func shares(
        _ find: @Sendable (_ handle: String) async throws -> ShareMetadata
    ) async throws -> JSONWriter {
        let elements = try elements("shortGUIDs", limit: limits.recordsPerResponse)
        guard !elements.isEmpty else { throw ServerError.badRequest("shortGUIDs is empty") }
        let requests = try elements.enumerated().map { try ShareRequest($1, at: "shortGUIDs[\($0)]") }
        var answers: [JSONWriter] = []
        var pace = Pace()
        for request in requests {
            answers.append(try await respond(request, find))
            await pace.rest()
        }
        var writer = JSONWriter(capacity: answers.reduce(64) { $0 + $1.bytes.count })
        writer.refusals = answers.flatMap(\.refusals)
        writer.object {
            $0.key("results")
            $0.array { for answer in answers { $0.verbatim(answer.bytes) } }
        }
        return writer
    }

    private func respond(
        _ request: ShareRequest, _ find: @Sendable (_ handle: String) async throws -> ShareMetadata
    ) async throws -> JSONWriter {
        var writer = JSONWriter(capacity: 2048)
        do {
            let found = try await find(request.handle)
            let root = try request.fetchesRoot ? found.root.map { try shown($0, request.presentation) } : nil
            writer.share(found, links.filled(found.share), request, root: root, in: identity)
        } catch let refusal as ShareRefusal {
            writer.shareError(request, refusal.error, matches: refusal.matches)
        } catch let error as ServerError {
            writer.shareError(request, error, matches: [])
        }
        return writer
    }
}

/// An element of `shortGUIDs`: a string, or an object with options.
package struct ShareRequest: Sendable {
    package let handle: String
    let fetchesRoot: Bool
    let presentation: Presentation

    package init(_ json: JSONValue, at place: String) throws(ServerError) {
        if let text = json.string {
            (handle, fetchesRoot, presentation) = (text, true, Presentation())
            return
        }
        guard let object = json.object, let text = object["value"]?.string else {
            throw .badRequest("\(known: place) must be a string, or an object with a value that is a string")
        }
        handle = text
        guard let flag = object["shouldFetchRootRecord"] else {
            fetchesRoot = true
            presentation = try Self.presentation(object)
            return
        }
        guard let fetches = flag.bool else {
            throw .badRequest("\(known: place).shouldFetchRootRecord must be true or false, not \(known: flag.kind)")
        }
        fetchesRoot = fetches
        presentation = try Self.presentation(object)
    }

    private static func presentation(_ object: JSONObject) throws(ServerError) -> Presentation {
        guard let keys = object["rootRecordDesiredKeys"] else { return Presentation() }
        return try Presentation().overridden(by: JSONObject([.init(key: "desiredKeys", value: keys)]))
    }
}
