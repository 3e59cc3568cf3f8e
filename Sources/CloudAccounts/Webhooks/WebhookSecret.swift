package import CloudCrypto
import Foundation

/// The secret that signs a webhook's messages, shared with the receiver.
package struct WebhookSecret: Sendable {
    package let key: SymmetricKey

    package init(key: SymmetricKey) {
        self.key = key
    }

    /// The secret for libraries that verify signatures: `whsec_` and the key in base64.
    package var text: String {
        "whsec_" + key.withUnsafeBytes { Data($0) }.base64EncodedString()
    }
}

extension Webhooks {
    /// The secret of a webhook, derived at each call, so that the accounts file stores no signing key.
    package func secret(of webhook: Webhook) async throws -> WebhookSecret {
        try await secret(salt: webhook.salt)
    }

    func secret(salt: Data) async throws -> WebhookSecret {
        WebhookSecret(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: try await ServerSecrets(database: database).key(for: "webhooks"), salt: salt,
                outputByteCount: 32))
    }
}
