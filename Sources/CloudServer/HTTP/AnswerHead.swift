import Synchronization

/// The status and the headers of answers that are sent many at a time, with the bytes that were last written of them.
///
/// One message goes to thousands of polls, whose answers differ in the request's id alone. State: the bytes, under a lock.
final class AnswerHead: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    private let written = Mutex<(form: Form, bytes: Bytes)?>(nil)

    init(status: HTTPResponse.Status, headers: HTTPFields) { (self.status, self.headers) = (status, headers) }

    /// The parts in which heads differ, beside the request's id.
    private struct Form: Equatable {
        let length: Int
        let date: String
        let isLast: Bool
        let origin: String?
        let policy: String?
    }

    /// The bytes of a head, and the place of the request's id in them.
    struct Bytes: Sendable {
        let head: [UInt8]
        let id: Range<Int>
    }

    /// The bytes of an answer's head with the id of some request; nil where they are to be written for the answer alone.
    ///
    /// - Parameter write: writes them.
    func bytes(of answer: HTTP1Answer, _ write: () -> [UInt8]) -> Bytes? {
        guard let form = form(of: answer), let id = answer.response.common.requestUUID else { return nil }
        if let known = written.withLock({ $0 }), known.form == form, known.bytes.id.count == id.utf8.count {
            return known.bytes
        }
        let head = write()
        let name = "\(HTTPField.Name.requestUUID.rawName): "
        guard let line = head.firstRange(of: Array((name + id).utf8)) else { return nil }
        let bytes = Bytes(head: head, id: line.lowerBound + name.utf8.count..<line.upperBound)
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
