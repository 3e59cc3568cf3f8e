import NIOCore
import NIOHTTP1

/// A request to a bucket.
struct S3Request: Sendable {
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        case file(FileReader, Range<Int64>)
    }

    /// Limit on a listing page, in bytes.
    static let mostListed = 4 << 20
    /// The minimum transfer rate, in bytes per second.
    private static let slowest = 256.0 * 1024

    let method: String
    /// Empty for the bucket.
    let key: String
    var query: [(name: String, value: String)] = []
    /// Names in lower case.
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// SHA-256 of the body in hex.
    var payload = AWSSignature.emptyPayload
    /// The size limit of the answer, in bytes.
    var mostBytes = 64 << 10
    /// Extra seconds for the store, beyond the usual limit.
    var extraSeconds = 0.0
    /// Returns true for an expected answer.
    let accepts: @Sendable (S3Answer) -> Bool

    /// Seconds added to the usual time limit, for the bytes and the store's extra work.
    var seconds: Double {
        let bytes =
            switch body {
            case .none: mostBytes
            case .bytes(let bytes): bytes.readableBytes
            case .file(_, let range): range.count
            }
        return extraSeconds + Double(bytes) / Self.slowest
    }
}

/// An answer of a bucket.
struct S3Answer: Sendable {
    struct TooLate: Error, CustomStringConvertible {
        var description: String { "no answer in time" }
    }

    let status: Int
    let headers: HTTPHeaders
    let body: ByteBuffer

    var text: String { String(buffer: body) }

    /// The error code in the answer; empty without an error.
    var code: String { S3XML(text).first("Code") ?? "" }

    /// An unacceptable answer's status and error code, for operators.
    var fault: String {
        status < 300 ? "\(status), which is no answer of an S3 store" : [String(status), code].joined(separator: " ")
    }

    /// True if a retry of the request may succeed, such as after an unexpected 2xx answer.
    var mayPass: Bool {
        status < 300 || status >= 500 || [408, 429].contains(status)
            || ["BadDigest", "RequestTimeout", "SlowDown"]
                .contains(code)
    }
}
