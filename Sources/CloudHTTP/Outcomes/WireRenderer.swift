package import CloudModel

/// Renders errors as error dictionaries (reference A §9.2).
package struct WireRenderer: OutcomeRenderer {
    /// The sign-in URL for an error that requires sign-in (reference B §3.5); nil where sign-in is not possible.
    private let redirectURL: (ServerError) async throws -> String?

    package init(redirectURL: @escaping (ServerError) async throws -> String?) { self.redirectURL = redirectURL }

    package func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) async throws -> Response {
        let redirectURL = try await redirectURL(refusal.error)
        return Self.response(refusal.error, refusal.status, trace, redirectURL, refusal.members)
    }

    package func failed(_ trace: RequestTrace) -> Response {
        Self.response(ServerError(.internalError, "internal error", .server(.fault)), nil, trace, nil) { _ in }
    }

    package static func response(
        _ error: ServerError, _ status: HTTPResponse.Status?, _ trace: RequestTrace, _ redirectURL: String?,
        _ members: (inout JSONWriter) -> Void
    ) -> Response {
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("uuid", trace.id)
            $0.error(error)
            $0.member("redirectURL", redirectURL)
            members(&$0)
        }
        return .json(writer, status: status ?? error.code.status)
    }
}

extension JSONWriter {
    /// Writes the members of an error dictionary.
    package mutating func refusal(_ refusal: RequestRefusal) {
        error(refusal.error)
        refusal.members(&self)
    }

    fileprivate mutating func error(_ error: ServerError) {
        member("serverErrorCode", error.code.rawValue)
        member("reason", error.reason)
        if let seconds = error.retryAfter { member("retryAfter", Int64(seconds)) }
        if let time = error.restoredTo { member("restoredTo", time.milliseconds) }
    }
}

extension SchemaSyntaxError: Refusing {
    package var refusal: RequestRefusal {
        var refusal = RequestRefusal(.badRequest("\(description)", .schema(.text)))
        refusal.members = { [line, column] in
            $0.member("line", Int64(line))
            $0.member("column", Int64(column))
        }
        return refusal
    }
}
