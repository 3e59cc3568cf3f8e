import CloudCrypto
import CloudEngine

/// A client secret or the text of Apple's `.p8` file. Descriptions and dumps hide it.
package struct ProviderSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A secret as the accounts' database has it: AES-256-GCM under a key that is derived from the server's.
struct SealedSecret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    var description: String { "(sealed)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Seals and opens the secrets of providers.
struct ProviderSeal: Sendable {
    private let key: SymmetricKey

    /// Creates the server's key for providers if it is missing.
    init(_ database: AccountDatabase) async throws {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: try await ServerSecrets(database: database).key(for: "providers"), salt: [UInt8](),
            info: Array("provider.secret".utf8), outputByteCount: 32)
    }

    func seal(_ secret: ProviderSecret, of provider: String) -> SealedSecret {
        seal(secret, in: Self.context(provider))
    }

    /// - Throws: ``AESGCM/Fault`` for a secret of another row, or one that another server sealed.
    func open(_ secret: SealedSecret, of provider: String) throws -> ProviderSecret {
        try open(secret, in: Self.context(provider))
    }

    /// - Parameter context: names the table and the row.
    func seal(_ secret: ProviderSecret, in context: [UInt8]) -> SealedSecret {
        SealedSecret(bytes: AESGCM.seal(Array(secret.text.utf8), using: key, context: context))
    }

    /// - Throws: ``AESGCM/Fault`` for a secret of another row, or one that another server sealed.
    func open(_ secret: SealedSecret, in context: [UInt8]) throws -> ProviderSecret {
        ProviderSecret(String(decoding: try AESGCM.open(secret.bytes, using: key, context: context), as: UTF8.self))
    }

    /// The table and the row that a sealed secret belongs to.
    private static func context(_ provider: String) -> [UInt8] { Array("provider.secret/\(provider)".utf8) }
}
