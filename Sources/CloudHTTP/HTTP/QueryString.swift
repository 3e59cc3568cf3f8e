/// The CloudKit parameters of a request's query (reference B §2.2, §3.3). A class, since each part of a call refers to it.
package final class QueryString: Equatable, Sendable {
    private let values: Values

    private struct Values: Hashable, Sendable {
        var apiToken: String?
        var webAuthToken: String?
        var getCurrentSyncToken = false
        var clientID: String?
        var pushToken: String?
        var lastEventID: String?
    }

    /// `ckAPIToken`, unless empty.
    package var apiToken: String? { values.apiToken }
    /// `ckWebAuthToken`, or its old name `ckSession`, whose literal `null` means none.
    package var webAuthToken: String? { values.webAuthToken }
    /// True if the response should have a top-level `syncToken` (reference A §1.3).
    package var getCurrentSyncToken: Bool { values.getCurrentSyncToken }
    /// `clientId`: the client's self-assigned ID, unless empty. Excludes the client from notifications of its own changes
    /// (reference B §6.6).
    package var clientID: String? { values.clientID }
    /// `tok`: the push token in a courier URL (reference B §7.4).
    package var pushToken: String? { values.pushToken }
    /// `lastEventID`: for stream clients that cannot send the header Last-Event-ID.
    package var lastEventID: String? { values.lastEventID }

    /// - Parameter raw: the text after the `?`, as received; nil without a query. Of a repeated parameter the first value
    ///   counts.
    package init(_ raw: (some StringProtocol)?) {
        guard let raw else {
            values = Values()
            return
        }
        values =
            raw.utf8.withContiguousStorageIfAvailable { Self.values($0) }
            ?? Array(raw.utf8).withUnsafeBufferPointer { Self.values($0) }
    }

    package convenience init() { self.init(nil as String?) }

    package static func == (one: QueryString, other: QueryString) -> Bool { one.values == other.values }

    private static func values(_ raw: UnsafeBufferPointer<UInt8>) -> Values {
        var values = Values()
        var session: String?
        for (name, value) in URLPairs(raw) {
            guard let raw = value, !raw.isEmpty, let name = Parameter(name) else { continue }
            let value = UnsafeBufferPointer(rebasing: raw)
            switch name {
            case .apiToken: values.apiToken = values.apiToken ?? PercentEncoding.decode(value)
            case .webAuthToken: values.webAuthToken = values.webAuthToken ?? token(value)
            case .session: session = session ?? token(value)
            case .pushToken: values.pushToken = values.pushToken ?? PercentEncoding.decode(value)
            case .lastEventID: values.lastEventID = values.lastEventID ?? PercentEncoding.decode(value)
            case .clientID: values.clientID = values.clientID ?? PercentEncoding.decode(value)
            case .getCurrentSyncToken:
                values.getCurrentSyncToken = PercentEncoding.decode(value).lowercased() == "true"
            }
        }
        values.webAuthToken = values.webAuthToken ?? session.flatMap { $0 == "null" ? nil : $0 }
        return values
    }

    /// Repairs a token that a client encoded twice, or whose `+` became a space. Valid tokens are Base64, without `%` or
    /// spaces, and stay unchanged (reference B §3.3).
    private static func token(_ raw: UnsafeBufferPointer<UInt8>) -> String {
        var token = PercentEncoding.decodedBytes(raw)
        token = PercentEncoding.decodedBytes(token)
        if token.withUnsafeBufferPointer({ $0.place(of: UInt8(ascii: " ")) }) != nil {
            token = token.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
        }
        return String(decoding: token, as: UTF8.self)
    }
}

/// Parameters known to the server.
private enum Parameter: CaseIterable {
    case apiToken, webAuthToken, session, pushToken, lastEventID, clientID, getCurrentSyncToken

    private static let all = allCases

    private var name: StaticString {
        switch self {
        case .apiToken: "ckAPIToken"
        case .webAuthToken: "ckWebAuthToken"
        case .session: "ckSession"
        case .pushToken: "tok"
        case .lastEventID: "lastEventID"
        case .clientID: "clientId"
        case .getCurrentSyncToken: "getCurrentSyncToken"
        }
    }

    init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        let bytes = UnsafeBufferPointer(rebasing: text)
        guard let found = Self.all.first(where: { $0.isSpelt(by: bytes) }) else { return nil }
        self = found
    }

    private func isSpelt(by bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = name
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in bytes.indices where bytes[index] != name.utf8Start[index] { return false }
        return true
    }
}

/// Percent-encoding (`%XX`) only: a `+` stays a `+`.
package enum PercentEncoding {
    /// Decodes once; a `%` without two hex digits stays.
    package static func decode(_ raw: some Sequence<UInt8>) -> String {
        String(decoding: decodedBytes(raw), as: UTF8.self)
    }

    /// Decodes text, faster if it contains no `%`.
    package static func decode(_ raw: Substring) -> String {
        var text = raw
        let isEncoded = text.withUTF8 { $0.place(of: UInt8(ascii: "%")) != nil }
        return isEncoded ? decode(raw.utf8) : String(raw)
    }

    static func decodedBytes(_ raw: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(raw)
        let mark = bytes.withUnsafeBufferPointer { $0.place(of: UInt8(ascii: "%")) }
        guard let first = mark else { return bytes }
        // Decodes in place: the output is never longer than the input.
        let count = bytes.withUnsafeMutableBufferPointer { bytes in
            var (read, written) = (first, first)
            while read < bytes.count {
                var byte = bytes[read]
                if byte == UInt8(ascii: "%"), read + 2 < bytes.count, let high = digit(bytes[read + 1]),
                    let low = digit(bytes[read + 2])
                {
                    byte = high << 4 | low
                    read += 2
                }
                bytes[written] = byte
                (read, written) = (read + 1, written + 1)
            }
            return written
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes all but letters, digits and `-._~`, which are safe in URLs and headers (RFC 8187 `attr-char`).
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
