import Synchronization

/// Status and headers of an answer sent to many clients, with a cache of its encoded bytes.
///
/// A message may go to thousands of polls, whose answers differ only in the request ID. State: the bytes, under a lock.
package final class AnswerHead: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    private let written = Mutex<(form: Form, bytes: Bytes)?>(nil)

    package init(status: HTTPResponse.Status, headers: HTTPFields) { (self.status, self.headers) = (status, headers) }

    /// The varying parts of a head, apart from the request ID.
    private struct Form: Equatable {
        let length: Int
        let date: String
        let isLast: Bool
        let origin: String?
        let policy: String?
    }

    /// An encoded head, and the range of the request ID within.
    package struct Bytes: Sendable {
        package let head: [UInt8]
        package let id: Range<Int>
    }

    /// The encoded head, possibly with another request's ID; nil if the answer must be encoded separately.
    ///
    /// - Parameter write: encodes the head.
    package func bytes(of answer: HTTP1Answer, _ write: () -> Bytes) -> Bytes? {
        guard let form = form(of: answer), let id = answer.response.common.requestUUID else { return nil }
        if let known = written.withLock({ $0 }), known.form == form, known.bytes.id.count == id.utf8.count {
            return known.bytes
        }
        let bytes = write()
        written.withLock { $0 = (form, bytes) }
        return bytes
    }

    private func form(of answer: HTTP1Answer) -> Form? {
        guard case .length(let length) = answer.framing else { return nil }
        let fields = answer.response.headers
        let policy = fields[.strictTransportSecurity]
        guard fields.count == headers.count + (policy == nil ? 0 : 1) else { return nil }
        let origin: String?
        switch answer.response.common.crossOrigin {
        case .none: return nil
        case .any: origin = nil
        case .origin(let text): origin = text
        }
        return Form(length: length, date: answer.date, isLast: answer.isLast, origin: origin, policy: policy)
    }
}
