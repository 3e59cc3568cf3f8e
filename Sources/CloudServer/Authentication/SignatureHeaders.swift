/// The three headers of a server-to-server request, their text as received (reference B §4.2).
package struct SignatureHeaders: Hashable, Sendable {
    package let keyID: String
    package let date: String
    package let signature: String

    private static let names = ["KeyID", "ISO8601Date", "SignatureV1"].compactMap {
        HTTPField.Name("X-Apple-CloudKit-Request-" + $0)
    }

    /// Returns true if the headers claim a signature: any of the three is enough.
    package static func present(in headers: HTTPFields) -> Bool {
        names.contains { headers[$0] != nil }
    }

    /// Nil unless all three are there.
    package init?(_ headers: HTTPFields) {
        let values = Self.names.compactMap { headers[$0] }
        guard values.count == 3 else { return nil }
        (keyID, date, signature) = (values[0], values[1], values[2])
    }
}
