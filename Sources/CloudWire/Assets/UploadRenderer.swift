package import CloudHTTP
package import CloudModel

/// Renders upload errors as an error dictionary, repeated under `singleFile`.
///
/// CloudKit JS ignores the status and saves `singleFile` of any JSON as the field's value. Without the member it would
/// save a record without its file; with the error inside, the record save fails for the upload's reason.
package struct UploadRenderer: OutcomeRenderer {

    package init() {}
    package func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) -> Response {
        WireRenderer.response(refusal.error, refusal.status, trace, nil) { writer in
            refusal.members(&writer)
            Self.writeFile(refusal.error, to: &writer)
        }
    }

    package func failed(_ trace: RequestTrace) -> Response {
        let error = ServerError(
            .tryAgainLater, "the upload failed by a fault of the server; it can be repeated", .server(.fault),
            retryAfter: Self.pause)
        var response = WireRenderer.response(error, nil, trace, nil) { Self.writeFile(error, to: &$0) }
        response.headers[.retryAfter] = String(Self.pause)
        return response
    }

    /// The Retry-After value after a server fault, in seconds.
    private static let pause = 5

    private static func writeFile(_ error: ServerError, to writer: inout JSONWriter) {
        writer.key("singleFile")
        writer.object {
            $0.member("serverErrorCode", error.code.rawValue)
            $0.member("reason", error.reason)
        }
    }
}
