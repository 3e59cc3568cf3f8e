package import CloudModel
package import CloudCrypto
import Foundation
package import NIOCore

/// Verifies server-to-server signatures in all variants that existing clients produce (reference B §4.3, §4.4).
package struct SignatureCheck: Sendable {
    /// The largest permitted difference between a request's date and now.
    package let window: Duration
    package let now: Now

    package init(window: Duration, now: @escaping Now) {
        self.window = window
        self.now = now
    }

    /// The fault in the signature's date, for the trail; nil for a valid date.
    package func fault(ofDateIn headers: SignatureHeaders) -> CredentialsFault? {
        guard let date = Self.date(headers.date) else { return .malformedDate }
        let age = now() - Timestamp(date)
        guard (.zero - window...window).contains(age) else {
            return .date(off: age.components.seconds, allowed: window.components.seconds)
        }
        return nil
    }

    /// The signature's fault, for the trail; nil for a valid signature.
    package func fault(
        _ headers: SignatureHeaders, key: P256.Signing.PublicKey, target: String, body: ByteBuffer
    ) -> CredentialsFault? {
        guard let signature = Self.signature(headers.signature) else { return .malformedSignature }
        let messages = Self.messages(date: headers.date, target: target, body: body)
        if messages.contains(where: { key.isValidSignature(signature, for: Data($0.utf8)) }) { return nil }
        return .signature
    }

    /// The candidate texts for a signature: the path with or without its query, and for an empty body its hash or an
    /// empty string.
    static func messages(date: String, target: String, body: ByteBuffer) -> [String] {
        let hash = body.withUnsafeReadableBytes { Data(SHA256.hash(data: $0)).base64EncodedString() }
        let hashes = body.readableBytes == 0 ? [hash, ""] : [hash]
        let path = String(target.prefix { $0 != "?" })
        let paths = path == target ? [target] : [target, path]
        return paths.flatMap { path in hashes.map { "\(date):\($0):\(path)" } }
    }

    /// DER as documented, or the raw 64 bytes of r and s.
    private static func signature(_ text: String) -> P256.Signing.ECDSASignature? {
        guard let bytes = Data(base64Encoded: text) else { return nil }
        return (try? P256.Signing.ECDSASignature(derRepresentation: bytes))
            ?? (try? P256.Signing.ECDSASignature(rawRepresentation: bytes))
    }

    /// ISO 8601 with seconds. Fractions and offsets are accepted too, because the signature covers the text as sent.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
