@testable import CloudWire
import CloudAccounts
import CloudModel
import CloudCrypto
import Foundation
import NIOHTTP1
import Testing

struct WebhookSettingsTests {
    @Test(
        "Retry delays double up to the longest",
        arguments: [
            (1, 0.0, 1.0), (1, 1, 2), (2, 1, 4), (3, 1, 8), (4, 1, 16), (5, 1, 20), (5, 0, 10), (1000, 1, 20),
        ])
    func delays(failed: Int, chance: Double, seconds: Double) {
        var settings = WebhookSettings()
        settings.firstDelay = .seconds(2)
        settings.longestDelay = .seconds(20)
        #expect(settings.delay(after: failed, chance: chance) == .seconds(seconds))
    }

    /// Computed with Python's hmac and hashlib.
    @Test("The signature is that of Standard Webhooks") func signature() throws {
        let key = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSignature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: Timestamp(wholeSeconds: 1_614_265_330),
            body: Array(#"{"test": 2432232314}"#.utf8), secret: WebhookSecret(key: SymmetricKey(data: key)))
        #expect(signature.headers["webhook-id"] == ["msg_p5jXN8AQM9LWM0D4loKWxJek"])
        #expect(signature.headers["webhook-timestamp"] == ["1614265330"])
        #expect(signature.headers["webhook-signature"] == ["v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="])
    }
}
