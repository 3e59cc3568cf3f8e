package import CloudCrypto
import Foundation

/// The secret that signs a webhook's messages. Its receiver has it too.
package struct WebhookSecret: Sendable {
    package let key: SymmetricKey

    package init(key: SymmetricKey) {
        self.key = key
    }

    /// As libraries that verify signatures take it: `whsec_` and the key in base64.
    package var text: String {
        "whsec_" + key.withUnsafeBytes { Data($0) }.base64EncodedString()
    }
}

extension AccountStore {
    /// The secret of a webhook, derived anew each time: the file holds no key that signs.
    package func secret(of webhook: Webhook) async throws -> WebhookSecret {
        try await secret(salt: webhook.salt)
    }

    func secret(salt: Data) async throws -> WebhookSecret {
        WebhookSecret(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: try await secret(for: "webhooks"), salt: salt, outputByteCount: 32))
    }
}
