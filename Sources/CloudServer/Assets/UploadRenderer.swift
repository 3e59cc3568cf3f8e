import CloudModel

/// Tells what went wrong with an upload as an error dictionary that repeats itself under `singleFile`.
///
/// CloudKit JS looks at no status and saves `singleFile` of whatever JSON comes back as the value of the field: without
/// one it would save a record whose file is gone. With this one the record is refused, for the reason of the upload.
struct UploadRenderer: OutcomeRenderer {
    func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) -> Response {
        WireRenderer.response(refusal.error, refusal.status, trace, nil) { writer in
            refusal.members(&writer)
            Self.writeFile(refusal.error, to: &writer)
        }
    }

    func failed(_ trace: RequestTrace) -> Response {
        let error = ServerError(
            .tryAgainLater, "the upload failed by a fault of the server; it can be repeated", .server(.fault),
            retryAfter: Self.pause)
        var response = WireRenderer.response(error, nil, trace, nil) { Self.writeFile(error, to: &$0) }
        response.headers[.retryAfter] = String(Self.pause)
        return response
    }

    /// Seconds after a fault.
    private static let pause = 5

    private static func writeFile(_ error: ServerError, to writer: inout JSONWriter) {
        writer.key("singleFile")
        writer.object {
            $0.member("serverErrorCode", error.code.rawValue)
            $0.member("reason", error.reason)
        }
    }
}
