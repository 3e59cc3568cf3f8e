package import CloudHTTP

/// The three headers of a server-to-server request, as received (reference B §4.2).
package struct SignatureHeaders: Hashable, Sendable {
    package let keyID: String
    package let date: String
    package let signature: String

    private static let names = ["KeyID", "ISO8601Date", "SignatureV1"].compactMap {
        HTTPField.Name("X-Apple-CloudKit-Request-" + $0)
    }

    /// Returns true if any of the three headers is present, which claims a signature.
    package static func present(in headers: HTTPFields) -> Bool { headers.containsAny(of: names) }

    /// Nil unless all three headers are present.
    package init?(_ headers: HTTPFields) {
        let values = Self.names.compactMap { headers[$0] }
        guard values.count == 3 else { return nil }
        (keyID, date, signature) = (values[0], values[1], values[2])
    }
}
