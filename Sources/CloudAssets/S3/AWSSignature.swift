import CloudCrypto
import Foundation

/// Signs requests with AWS Signature Version 4, as required by S3-compatible stores.
struct AWSSignature: Sendable {
    /// The signed parts of a request.
    struct Request: Sendable {
        let method: String
        /// Encoded as in the request line.
        let path: String
        /// Not encoded.
        var query: [(name: String, value: String)] = []
        /// Names in lower case; `host` among them.
        var headers: [(name: String, value: String)]
        /// SHA-256 of the body in hex, or a keyword for unsigned bodies.
        var payload = AWSSignature.emptyPayload
    }

    static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let unsignedPayload = "UNSIGNED-PAYLOAD"
    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: S3Credentials
    let region: String
    var service = "s3"

    /// The header `authorization`. The request must have the header `x-amz-date` with the same time.
    func authorization(of request: Request, at date: Date) -> String {
        let time = Self.time(date)
        let names = request.headers.map(\.name).sorted().joined(separator: ";")
        return "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(time)), SignedHeaders=\(names), "
            + "Signature=\(signature(of: request, time))"
    }

    /// A URL query that grants access by itself.
    ///
    /// - Parameter seconds: the lifetime, at most a week.
    func presignedQuery(of request: Request, at date: Date, seconds: Int) -> String {
        let time = Self.time(date)
        var request = request
        request.payload = Self.unsignedPayload
        request.query += [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(time))"),
            ("X-Amz-Date", time), ("X-Amz-Expires", String(seconds)),
            ("X-Amz-SignedHeaders", request.headers.map(\.name).sorted().joined(separator: ";")),
        ]
        if let token = credentials.sessionToken { request.query.append(("X-Amz-Security-Token", token)) }
        return Self.text(request.query) + "&X-Amz-Signature=\(signature(of: request, time))"
    }

    private func signature(of request: Request, _ time: String) -> String {
        let headers = request.headers.sorted { $0.name < $1.name }
        let canonical = [
            request.method, request.path, Self.text(request.query),
            headers.map { "\($0.name):\($0.value.trimmingCharacters(in: .whitespaces))\n" }.joined(),
            headers.map(\.name).joined(separator: ";"), request.payload,
        ].joined(separator: "\n")
        let text = [Self.algorithm, time, scope(time), Self.hex(SHA256.hash(data: Data(canonical.utf8)))]
            .joined(separator: "\n")
        return Self.hex(Self.code(text, key(time)))
    }

    private func scope(_ time: String) -> String { "\(time.prefix(8))/\(region)/\(service)/aws4_request" }

    private func key(_ time: String) -> SymmetricKey {
        [String(time.prefix(8)), region, service, "aws4_request"]
            .reduce(SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))) { key, part in
                SymmetricKey(data: Self.code(part, key))
            }
    }

    private static func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }

    // MARK: Texts

    /// A time in the format of the header `x-amz-date`.
    static func time(_ date: Date) -> String {
        date.formatted(
            .verbatim(
                "\(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)T\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)Z",
                timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }

    /// A query in canonical order and encoding, for signing.
    static func text(_ query: [(name: String, value: String)]) -> String {
        query.map { "\(encode($0.name))=\(encode($0.value))" }.sorted().joined(separator: "&")
    }

    /// - Parameter kept: characters left unencoded, besides letters, digits and `-._~`.
    static func encode(_ text: String, keeping kept: String = "") -> String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(kept)".utf8)
        return text.utf8.map { byte in
            kept.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
