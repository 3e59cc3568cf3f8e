import CloudStore
import Crypto
import Foundation
import NIOHTTP1

/// What proves to a receiver that a message is from this server, and of now (Standard Webhooks 1.0).
struct WebhookSignature {
    /// Names the message, the same at every attempt.
    let id: String
    /// Seconds since 1970-01-01Z.
    let timestamp: Int64
    /// HMAC-SHA256 of id, timestamp and body, with dots between them.
    let code: Data

    init(id: String, timestamp: Int64, body: [UInt8], secret: WebhookSecret) {
        self.id = id
        self.timestamp = timestamp
        code = Data(HMAC<SHA256>.authenticationCode(for: Data("\(id).\(timestamp).".utf8) + body, using: secret.key))
    }

    var headers: HTTPHeaders {
        [
            "webhook-id": id, "webhook-timestamp": "\(timestamp)",
            "webhook-signature": "v1,\(code.base64EncodedString())",
        ]
    }
}
