package import NIOHTTP1

/// The head of a request. A class, since each step refers to it.
package final class HTTPRequest: Sendable {
    package let method: Method
    /// Host and port from the client; nil if missing.
    package let authority: String?
    /// Path and query, as received.
    package let path: String?
    package let headerFields: HTTPFields

    package init(method: Method, authority: String?, path: String?, headerFields: HTTPFields = [:]) {
        self.method = method
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
    }

    /// A request method. Known methods are compared by number.
    package struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        private static let names = [
            "", "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
        ]

        /// The index in `names`; 0 for other methods.
        private let known: UInt8
        /// The text of an unknown method.
        private let other: String

        package var rawValue: String { known == 0 ? other : Self.names[Int(known)] }

        /// - Returns: nil unless the text is a token (RFC 9110 §9.1).
        package init?(_ text: String) {
            guard HTTPField.Name(text) != nil else { return nil }
            self.init(token: text)
        }

        package init?(rawValue: String) { self.init(rawValue) }

        /// - Parameter token: a valid token; not checked.
        package init(token: String) {
            let place = Self.names.firstIndex(of: token) ?? 0
            (known, other) = (UInt8(place), place == 0 ? token : "")
        }

        private init(known: UInt8) { (self.known, other) = (known, "") }

        /// A distinct bit per known method, for sets; 0 for other methods.
        package var bit: UInt16 { known == 0 ? 0 : 1 << UInt16(known) }

        package var description: String { rawValue }

        package static func == (one: Method, other: Method) -> Bool {
            one.known == other.known && (one.known != 0 || one.other == other.other)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(known)
            if known == 0 { hasher.combine(other) }
        }

        package static var get: Method { Method(known: 1) }
        package static var head: Method { Method(known: 2) }
        package static var post: Method { Method(known: 3) }
        package static var put: Method { Method(known: 4) }
        package static var delete: Method { Method(known: 5) }
        package static var connect: Method { Method(known: 6) }
        package static var options: Method { Method(known: 7) }
        package static var trace: Method { Method(known: 8) }
        package static var patch: Method { Method(known: 9) }
    }
}

extension HTTPRequest.Method {
    /// Converts a method of NIO's parser.
    package init(_ method: HTTPMethod) {
        switch method {
        case .GET: self = .get
        case .POST: self = .post
        case .HEAD: self = .head
        case .PUT: self = .put
        case .DELETE: self = .delete
        case .OPTIONS: self = .options
        default: self.init(token: method.rawValue)
        }
    }
}

package enum HTTPResponse {
    /// A status code with its reason phrase; equality ignores the phrase.
    package struct Status: Hashable, Sendable, ExpressibleByIntegerLiteral {
        package let code: Int
        package let reasonPhrase: String

        package init(code: Int, reasonPhrase: String = "") {
            self.code = code
            self.reasonPhrase = reasonPhrase
        }

        package init(integerLiteral code: Int) { self.init(code: code, reasonPhrase: Self.phrase(of: code)) }

        private static func phrase(of code: Int) -> String { HTTPResponseStatus(statusCode: code).reasonPhrase }

        package static func == (one: Status, other: Status) -> Bool { one.code == other.code }
        package func hash(into hasher: inout Hasher) { hasher.combine(code) }

        /// False if the status forbids a body (RFC 9112 §6.3).
        var mayHaveBody: Bool { code >= 200 && code != 204 && code != 304 }

        package static let `continue` = Status(code: 100, reasonPhrase: "Continue")
        package static let processing = Status(code: 102, reasonPhrase: "Processing")
        package static let ok = Status(code: 200, reasonPhrase: "OK")
        package static let accepted = Status(code: 202, reasonPhrase: "Accepted")
        package static let noContent = Status(code: 204, reasonPhrase: "No Content")
        package static let partialContent = Status(code: 206, reasonPhrase: "Partial Content")
        package static let seeOther = Status(code: 303, reasonPhrase: "See Other")
        package static let notModified = Status(code: 304, reasonPhrase: "Not Modified")
        package static let temporaryRedirect = Status(code: 307, reasonPhrase: "Temporary Redirect")
        package static let badRequest = Status(code: 400, reasonPhrase: "Bad Request")
        package static let unauthorized = Status(code: 401, reasonPhrase: "Unauthorized")
        package static let forbidden = Status(code: 403, reasonPhrase: "Forbidden")
        package static let notFound = Status(code: 404, reasonPhrase: "Not Found")
        package static let methodNotAllowed = Status(code: 405, reasonPhrase: "Method Not Allowed")
        package static let conflict = Status(code: 409, reasonPhrase: "Conflict")
        package static let gone = Status(code: 410, reasonPhrase: "Gone")
        package static let preconditionFailed = Status(code: 412, reasonPhrase: "Precondition Failed")
        package static let contentTooLarge = Status(code: 413, reasonPhrase: "Content Too Large")
        package static let unsupportedMediaType = Status(code: 415, reasonPhrase: "Unsupported Media Type")
        package static let rangeNotSatisfiable = Status(code: 416, reasonPhrase: "Range Not Satisfiable")
        package static let misdirectedRequest = Status(code: 421, reasonPhrase: "Misdirected Request")
        package static let tooManyRequests = Status(code: 429, reasonPhrase: "Too Many Requests")
        package static let requestHeaderFieldsTooLarge = Status(
            code: 431, reasonPhrase: "Request Header Fields Too Large")
        package static let internalServerError = Status(code: 500, reasonPhrase: "Internal Server Error")
        package static let serviceUnavailable = Status(code: 503, reasonPhrase: "Service Unavailable")
        package static let insufficientStorage = Status(code: 507, reasonPhrase: "Insufficient Storage")
    }
}
