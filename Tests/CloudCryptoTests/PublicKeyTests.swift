import CloudCrypto
import Foundation
import Testing

/// Public keys as `openssl ec -pubout` prints them.
@Suite(.timeLimit(.minutes(5)))
struct PublicKeyTests {
    private static let text = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEDCMmz/uTrQT8oOIykrtavXiJRjAW
        x2jfKL5e7ZOFc3JY158fwNmFyGT8opwhccFtbBgNx6rwvgYEJeyGZCfYMw==
        -----END PUBLIC KEY-----
        """
    private static let compressed = """
        -----BEGIN PUBLIC KEY-----
        MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADDCMmz/uTrQT8oOIykrtavXiJRjAW
        x2jfKL5e7ZOFc3I=
        -----END PUBLIC KEY-----
        """

    @Test("A public key is written as it was read")
    func roundTrip() throws {
        let key = try P256.Signing.PublicKey(pemRepresentation: Self.text)
        #expect(key.pemRepresentation == Self.text)
        #expect(try P256.Signing.PublicKey(x963Representation: key.x963Representation).pemRepresentation == Self.text)
    }

    @Test(
        "A compressed point, and other ends of lines, are the same key",
        arguments: [
            compressed, text + "\n", "\n " + text, text.replacing("\n", with: "\r\n") + "\r\n",
        ])
    func otherForms(text: String) throws {
        #expect(try P256.Signing.PublicKey(pemRepresentation: text).pemRepresentation == Self.text)
    }

    @Test("Text without a valid public key is refused", arguments: others + changed)
    func refused(text: String) {
        #expect(throws: P256.Signing.MalformedKey.self) { try P256.Signing.PublicKey(pemRepresentation: text) }
    }

    private static let changed: [String] = [
        "", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----",
        text.replacing("PUBLIC KEY", with: "PRIVATE KEY"), text.replacing("PUBLIC KEY", with: "EC PUBLIC KEY"),
        text + "\nmore", "more\n" + text, text + "\n" + text, String(text.dropLast()), String(text.dropFirst()),
        text.replacing("MFkw", with: "MFow"), text.replacing("MFkw", with: "!!!!"), text.replacing("Mw==", with: ""),
        text.replacing("MFkw", with: "MFkwMFkw"), text + String(repeating: "\n", count: 2000),
        // Another point: it is not on the curve.
        text.replacing("Mw==", with: "NA=="),
    ]

    /// With the curve's parameters in place of its name, and keys of Ed25519, P-384 and secp256k1.
    private static let others = [
        """
        -----BEGIN PUBLIC KEY-----
        MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
        AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
        ///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
        NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
        RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
        //////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABAwjJs/7k60E/KDiMpK7Wr14
        iUYwFsdo3yi+Xu2ThXNyWNefH8DZhchk/KKcIXHBbWwYDceq8L4GBCXshmQn2DM=
        -----END PUBLIC KEY-----
        """,
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAPsybf5UWfMPY3gfM6dIpsAElLYoMlH0rUHGOICI5kXE=
        -----END PUBLIC KEY-----
        """,
        """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEWVb7fGrmM48O8TGp6KwvfUIXpw9QMzU9
        CWiFPhWYOSHdxwvCsglDJHrU0pyHUTz2yMt7puLUjtIscXZAU7SCl8iluATc0sUx
        eY1JWMwFGzAxX2OLkiRB0Y1GyrKGYgTu
        -----END PUBLIC KEY-----
        """,
        """
        -----BEGIN PUBLIC KEY-----
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEEEKl/YbOeDs1DZWqxkTynHeEpafQDFmC
        eJNovQlDyHe+0TFVvC1BuTX0RZL63p2ZgDS1rGdPL75pSYoh+PNFtA==
        -----END PUBLIC KEY-----
        """,
    ]

    @Test("Bytes that encode no point of the curve are refused")
    func points() throws {
        let point = try P256.Signing.PublicKey(pemRepresentation: Self.text).x963Representation
        let field = bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        let zero = [UInt8](repeating: 0, count: 32)
        let refused: [[UInt8]] = [
            // The point at infinity, a form that says more than it needs to, and none.
            [], [0], [0] + point.dropFirst(), [6] + point.dropFirst(), [7] + point.dropFirst(), [5] + point.dropFirst(),
            Array(point.dropLast()), point + [0], Array(point.dropFirst()), Array(point.prefix(33)),
            [4] + zero + zero, [4] + field + field, [4] + field + point.suffix(32), [2] + field,
            [UInt8](repeating: 0xff, count: 65), [UInt8](repeating: 4, count: 100_000),
        ]
        for bytes in refused {
            #expect(throws: P256.Signing.MalformedKey.self, "\(bytes.prefix(70))") {
                try P256.Signing.PublicKey(x963Representation: bytes)
            }
        }
    }

    @Test("Several threads use one key at a time")
    func shared() async throws {
        let key = P256.Signing.PrivateKey()
        let valid = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let message = Data("\(number)".utf8)
                    return key.publicKey.isValidSignature(key.signature(for: message), for: message)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(valid == 100)
    }
}
