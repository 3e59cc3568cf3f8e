import CloudHTTP
import CloudModel
import Testing

struct StatusTests {
    /// The table of codes (reference A §9.3).
    @Test(
        "Each error code has its status",
        arguments: [
            (ServerError.Code.accessDenied, 403), (.atomicError, 400), (.authenticationFailed, 401),
            (.authenticationRequired, 421), (.badRequest, 400), (.conflict, 409), (.exists, 409), (.internalError, 500),
            (.notFound, 404), (.quotaExceeded, 413), (.throttled, 429), (.tryAgainLater, 503),
            (.validatingReferenceError, 412), (.zoneNotFound, 404),
        ])
    func statusOfCode(code: ServerError.Code, status: Int) {
        #expect(code.status.code == status)
    }
}
