import CloudModel
import Synchronization

/// A request target, parsed. Requests with the same target may share it.
final class RequestTarget: Sendable {
    /// Path and query, as received.
    let text: String
    /// The index of the `?`, or the end index.
    private let pathEnd: String.Index
    /// The query's CloudKit parameters.
    let parameters: QueryString
    let memory = TargetMemory()

    init(_ text: String) {
        self.text = text
        let mark = text.indexOfQuery
        pathEnd = mark ?? text.endIndex
        parameters = mark.map { QueryString(text[text.utf8.index(after: $0)...]) } ?? QueryString()
    }

    /// The path as received, without the query.
    var path: Substring { text[..<pathEnd] }

    /// The text after the `?`, as received; may be empty.
    var query: Substring {
        guard pathEnd < text.endIndex else { return "" }
        return text[text.utf8.index(after: pathEnd)...]
    }
}

/// A slot for an object that a handler derives from a target, such as its caller. State: the object, under a lock.
package final class TargetMemory: Sendable {
    private let object = Mutex<(any AnyObject & Sendable)?>(nil)

    package init() {}

    package var value: (any AnyObject & Sendable)? { object.withLock { $0 } }
    package func set(_ value: any AnyObject & Sendable) { object.withLock { $0 = value } }
}

/// The targets of an event loop's recent requests with their routes, since most clients repeat their targets.
///
/// A table without chains: a target replaces another of the same hash. Long targets, unknown paths and unknown methods are not
/// kept.
struct RecentTargets {
    private static let size = 256
    private static let longest = 1024

    struct Found {
        let method: HTTPRequest.Method
        let target: RequestTarget
        /// Nil for an unknown path.
        let match: RouteMatch?
    }

    private var slots = [Found?](repeating: nil, count: size)

    /// Nil for a target that is not kept.
    func known(_ text: String, _ method: HTTPRequest.Method) -> Found? {
        guard let found = slots[Self.place(of: text)], found.method == method, found.target.text.isExactly(text) else {
            return nil
        }
        return found
    }

    mutating func add(_ found: Found) {
        guard found.match != nil, found.method.bit != 0, found.target.text.utf8.count <= Self.longest else { return }
        slots[Self.place(of: found.target.text)] = found
    }

    /// A quick hash: a collision, even on purpose, costs a parse.
    private static func place(of text: String) -> Int {
        var sum = UInt64(text.utf8.count)
        text.utf8Span.span.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                sum = (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
                sum ^= sum >> 32
                offset += 8
            }
            while offset < bytes.count {
                sum = (sum ^ UInt64(bytes[offset])) &* 0x9E37_79B9_7F4A_7C15
                offset += 1
            }
        }
        return Int(sum >> 40) & (size - 1)
    }
}

extension String {
    /// The index of the `?`. Searches contiguous bytes, many times faster than a search by index.
    fileprivate var indexOfQuery: Index? {
        let mark = UInt8(ascii: "?")
        let offset = utf8.withContiguousStorageIfAvailable { $0.place(of: mark) }
        guard let offset else { return utf8.firstIndex(of: mark) }
        return offset.map { utf8.index(startIndex, offsetBy: $0) }
    }
}
