/// An HTTP header.
package struct HTTPField: Hashable, Sendable {
    package let name: Name
    package let value: String

    /// - Parameter value: CR, LF and NUL become spaces, so that a value cannot end its line.
    package init(name: Name, value: String) {
        self.name = name
        self.value = Self.isLegal(value) ? value : Self.legal(value)
    }

    private static func isLegal(_ value: String) -> Bool {
        value.utf8Span.span.withUnsafeBufferPointer { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            if isBlank(first) || isBlank(last) { return false }
            return bytes.place(of: 0) == nil && bytes.place(of: 10) == nil && bytes.place(of: 13) == nil
        }
    }

    private static func legal(_ value: String) -> String {
        let bytes = value.utf8.map { $0 == 0 || $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 }
        let trimmed = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        return String(decoding: Array(trimmed), as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension HTTPField {
    /// A header name, case-insensitive.
    package struct Name: Hashable, Sendable, CustomStringConvertible {
        /// The index in ``KnownFields/names``; 0 for other names.
        package let known: UInt8
        /// The text of an unknown name.
        private let other: String

        /// The name in its original case.
        package var rawName: String { known == 0 ? other : KnownFields.names[Int(known)] }

        /// - Returns: nil unless the text is a token (RFC 9110 §5.6.2).
        package init?(_ text: String) {
            guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenByte) else { return nil }
            self.init(token: text)
        }

        /// - Parameter token: a valid token; not checked.
        package init(token: String) {
            known = KnownFields.place(of: token)
            other = known == 0 ? token : ""
        }

        init(known: UInt8) { (self.known, other) = (known, "") }

        /// The name in lower case.
        package var canonicalName: String { rawName.lowercased() }

        package var description: String { rawName }

        package static func == (one: Name, other: Name) -> Bool {
            if one.known != 0 || other.known != 0 { return one.known == other.known }
            return ASCIIText.areAlike(one.other, other.other)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(known)
            if known == 0 { hasher.combine(canonicalName) }
        }

        private static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}

/// Case-insensitive comparison of ASCII text.
enum ASCIIText {
    static func areAlike(_ one: String, _ other: String) -> Bool {
        var one = one
        return one.withUTF8 { areAlike($0, other) }
    }

    static func areAlike(_ one: UnsafeBufferPointer<UInt8>, _ other: String) -> Bool {
        var other = other
        return other.withUTF8 { other in
            guard one.count == other.count else { return false }
            for index in one.indices where lower(one[index]) != lower(other[index]) { return false }
            return true
        }
    }

    static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

/// Header names that the server reads or writes, compared by number.
enum KnownFields {
    /// Names by number; 0 stands for all unknown names.
    static let names = [
        "", "Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Access-Control-Allow-Credentials",
        "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers", "Access-Control-Max-Age", "Access-Control-Request-Headers",
        "Access-Control-Request-Method", "Allow", "Authorization", "Cache-Control", "Connection", "Content-Disposition",
        "Content-Encoding", "Content-Length", "Content-Range", "Content-Security-Policy", "Content-Type", "Cookie",
        "Cross-Origin-Resource-Policy", "Date", "ETag", "Expect", "Host", "If-Match", "If-None-Match", "If-Range",
        "Last-Event-ID", "Location", "Origin", "Permissions-Policy", "Range", "Referrer-Policy", "Retry-After",
        "Sec-Fetch-Site", "Server", "Set-Cookie", "Strict-Transport-Security", "traceparent", "Transfer-Encoding",
        "Upgrade", "User-Agent", "Vary", "X-Accel-Buffering", "X-Apple-CloudKit-Version",
        "X-Apple-CloudKit-Web-Auth-Token", "X-Apple-Request-UUID", "X-Content-Type-Options", "X-Cumulus-Fault",
        "X-Cumulus-Live", "X-Cumulus-Request", "X-Forwarded-For", "X-Frame-Options", "X-Robots-Tag",
        "X-Apple-CloudKit-Request-KeyID", "X-Apple-CloudKit-Request-ISO8601Date",
        "X-Apple-CloudKit-Request-SignatureV1",
    ]

    /// A lookup table by length, in lower case.
    private static let table = Table(names)

    /// The number of a name; 0 if unknown.
    static func place(of name: String) -> UInt8 {
        name.utf8Span.span.withUnsafeBufferPointer { table.place(of: $0) }
    }

    private struct Table {
        /// For each length, the first index into ``numbers``; then the end of the last length.
        private var starts: [Int] = [0]
        private var numbers: [UInt8] = []
        /// The bytes of all names in the order of ``numbers``, and their offsets.
        private var bytes: [UInt8] = []
        private var places: [Int] = []

        init(_ names: [String]) {
            for length in 0...(names.map(\.utf8.count).max() ?? 0) {
                for (number, name) in names.enumerated() where number > 0 && name.utf8.count == length {
                    places.append(bytes.count)
                    numbers.append(UInt8(number))
                    bytes += name.utf8.map(ASCIIText.lower)
                }
                starts.append(numbers.count)
            }
        }

        func place(of name: UnsafeBufferPointer<UInt8>) -> UInt8 {
            guard name.count + 1 < starts.count else { return 0 }
            return bytes.withUnsafeBufferPointer { bytes in
                next: for candidate in starts[name.count]..<starts[name.count + 1] {
                    let place = places[candidate]
                    for index in name.indices where ASCIIText.lower(name[index]) != bytes[place + index] {
                        continue next
                    }
                    return numbers[candidate]
                }
                return 0
            }
        }
    }
}
