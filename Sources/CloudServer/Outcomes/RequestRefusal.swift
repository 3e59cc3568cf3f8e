import CloudModel
import CloudStore

/// The refusal of a whole request, with the details for each kind of answer.
struct RequestRefusal: Error {
    let error: ServerError
    /// Overrides the status of the error's code.
    var status: HTTPResponse.Status?
    /// The page for browsers, where the error's reason is not meant for people.
    var page: PageError?
    /// The methods that the path supports, if the method is at fault.
    var methods: Set<HTTPRequest.Method>?
    /// True if the body's content coding is at fault.
    var takesNoCoding = false
    /// A remark for the operator's log; nil for none.
    var remark: String?
    /// Writes additional members of the error dictionary.
    var members: @Sendable (inout JSONWriter) -> Void = { _ in }

    init(_ error: ServerError) { self.error = error }

    init(_ error: ServerError, status: HTTPResponse.Status) {
        self.error = error
        self.status = status
    }

    /// A refusal of an unsupported method.
    init(_ method: HTTPRequest.Method, of methods: Set<HTTPRequest.Method>) {
        self.init(
            .badRequest("this path does not take \(method); it takes \(known: Self.list(methods))", .address),
            status: .methodNotAllowed)
        page = PageError(
            .methodNotAllowed, "That did not work", "This address does not take \(method) requests.", .address)
        self.methods = methods
    }

    private static func list(_ methods: Set<HTTPRequest.Method>) -> String {
        methods.map(\.rawValue).sorted().joined(separator: ", ")
    }

    /// Adds the refusal's headers to an answer.
    func decorate(_ response: inout Response) {
        if let methods { response.headers[.allow] = Self.list(methods) }
        if takesNoCoding { response.headers[.acceptEncoding] = "identity" }
        if let seconds = page?.retryAfter ?? error.retryAfter { response.headers[.retryAfter] = String(seconds) }
    }

    /// True if the request is at fault rather than the server.
    var isOfClient: Bool { (status ?? error.code.status).code < 500 }

    func note(in trace: RequestTrace) {
        guard let page else { return trace.refuse(error) }
        if let cause = page.cause { trace.refuse(page.title, cause) }
    }
}

/// An error that refuses a request, as opposed to a fault.
protocol Refusing: Error {
    var refusal: RequestRefusal { get }
}

extension RequestRefusal: Refusing {
    var refusal: RequestRefusal { self }
}

extension ServerError.Code {
    /// The status of a code that refuses a whole request (reference A §9.3).
    var status: HTTPResponse.Status {
        switch self {
        case .accessDenied: .forbidden
        case .atomicError, .badRequest: .badRequest
        case .authenticationFailed: .unauthorized
        case .authenticationRequired: .misdirectedRequest
        case .conflict, .exists: .conflict
        case .internalError: .internalServerError
        case .notFound, .zoneNotFound: .notFound
        case .quotaExceeded: .contentTooLarge
        case .throttled: .tooManyRequests
        case .tryAgainLater: .serviceUnavailable
        case .validatingReferenceError: .preconditionFailed
        }
    }
}
