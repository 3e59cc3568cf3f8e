package import CloudModel

/// The refusal of a whole request, with the details for each kind of answer.
package struct RequestRefusal: Error {
    package let error: ServerError
    /// Overrides the status of the error's code.
    package var status: HTTPResponse.Status?
    /// The page for browsers, where the error's reason is not meant for people.
    package var page: PageError?
    /// The methods that the path supports, if the method is at fault.
    package var methods: Set<HTTPRequest.Method>?
    /// True if the body's content coding is at fault.
    var takesNoCoding = false
    /// A remark for the operator's log; nil for none.
    package var remark: String?
    /// Writes additional members of the error dictionary.
    package var members: @Sendable (inout JSONWriter) -> Void = { _ in }

    package init(_ error: ServerError) { self.error = error }

    package init(_ error: ServerError, status: HTTPResponse.Status) {
        self.error = error
        self.status = status
    }

    /// A refusal of an unsupported method.
    package init(_ method: HTTPRequest.Method, of methods: Set<HTTPRequest.Method>) {
        self.init(
            .badRequest("this path does not take \(method); it takes \(known: Self.list(methods))", .address),
            status: .methodNotAllowed)
        page = PageError(.methodNotAllowed, key: "error.method", .address, ["method": .text(method.rawValue)])
        self.methods = methods
    }

    private static func list(_ methods: Set<HTTPRequest.Method>) -> String {
        methods.map(\.rawValue).sorted().joined(separator: ", ")
    }

    /// Adds the refusal's headers to an answer.
    package func decorate(_ response: inout Response) {
        if let methods { response.headers[.allow] = Self.list(methods) }
        if takesNoCoding { response.headers[.acceptEncoding] = "identity" }
        if let seconds = page?.retryAfter ?? error.retryAfter { response.headers[.retryAfter] = String(seconds) }
    }

    /// True if the request is at fault rather than the server.
    package var isOfClient: Bool { (status ?? error.code.status).code < 500 }

    package func note(in trace: RequestTrace) {
        guard let page else { return trace.refuse(error) }
        if let cause = page.cause { trace.refuse(page.title.english, cause) }
    }
}

/// An error that refuses a request, as opposed to a fault.
package protocol Refusing: Error {
    var refusal: RequestRefusal { get }
}

extension RequestRefusal: Refusing {
    package var refusal: RequestRefusal { self }
}

extension ServerError.Code {
    /// The status of a code that refuses a whole request (reference A §9.3).
    package var status: HTTPResponse.Status {
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
