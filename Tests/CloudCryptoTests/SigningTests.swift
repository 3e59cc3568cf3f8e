import CloudCrypto
import Foundation
import Testing

/// ECDSA over P-256, with the key and the signatures of RFC 6979 §A.2.5.
@Suite(.timeLimit(.minutes(5)))
struct SigningTests {
    private static let x = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    private static let y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    /// The signature of "sample".
    private static let r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    private static let s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    /// The number of points of the curve.
    private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    private static let zero = String(repeating: "0", count: 64)

    private let key: P256.Signing.PublicKey
    private let sample = Data("sample".utf8)

    init() throws { key = try P256.Signing.PublicKey(x963Representation: bytes("04" + Self.x + Self.y)) }

    @Test(
        "A signature by the key's owner is valid for its message alone",
        arguments: [
            ("sample", r + s),
            (
                "test",
                """
                f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367
                019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083
                """
            ),
        ])
    func valid(message: String, signature: String) throws {
        let raw = try P256.Signing.ECDSASignature(rawRepresentation: bytes(signature))
        #expect(key.isValidSignature(raw, for: Data(message.utf8)))
        #expect(!key.isValidSignature(raw, for: Data((message + "s").utf8)))
        let der = try P256.Signing.ECDSASignature(derRepresentation: raw.derRepresentation)
        #expect(der.rawRepresentation == bytes(signature))
    }

    @Test("A signature with a changed bit is invalid")
    func changed() throws {
        for place in 0..<64 {
            var changed = bytes(Self.r + Self.s)
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(!key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: changed), for: sample))
        }
    }

    @Test(
        "Signature numbers out of range are invalid",
        arguments: [
            zero + zero, zero + s, r + zero, order + s, r + order, order + order,
            String(repeating: "f", count: 128),
        ])
    func outOfRange(signature: String) throws {
        #expect(!key.isValidSignature(try .init(rawRepresentation: bytes(signature)), for: sample))
    }

    @Test("A new key's signature is valid for this key alone")
    func signing() throws {
        let (own, other) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        for length in 0..<64 {
            let message = Data(repeating: 7, count: length)
            let signature = own.signature(for: message)
            #expect(own.publicKey.isValidSignature(signature, for: message))
            #expect(!other.publicKey.isValidSignature(signature, for: message))
            let der = try P256.Signing.ECDSASignature(derRepresentation: signature.derRepresentation)
            #expect(der.rawRepresentation == signature.rawRepresentation)
        }
    }

    @Test(
        "A malformed signature is refused",
        arguments: [
            "", "30", "3000", "3006020101", "3003020101", "30060201010200", "3006020101020101ff",
            // Negative, and with a zero too many.
            "3006020181020101", "300702020001020101",
            // Indefinite length, and a length of two bytes where one will do.
            "30800201010201010000", "308106020101020101",
            // 33 bytes of a number that is too great.
            "3026022101" + String(repeating: "00", count: 32) + "020101", "04" + x + y,
        ])
    func malformed(signature: String) {
        #expect(throws: P256.Signing.MalformedSignature.self) {
            try P256.Signing.ECDSASignature(derRepresentation: bytes(signature))
        }
    }

    @Test("The shortest numbers in DER are read", arguments: ["3006020101020101", "300702020080020101"])
    func short(signature: String) throws {
        let signature = try P256.Signing.ECDSASignature(derRepresentation: bytes(signature))
        #expect(signature.rawRepresentation.last == 1)
        #expect(!key.isValidSignature(signature, for: sample))
    }

    @Test("A raw signature has 64 bytes", arguments: [0, 1, 63, 65, 128])
    func rawLength(count: Int) {
        #expect(throws: P256.Signing.MalformedSignature.self) {
            try P256.Signing.ECDSASignature(rawRepresentation: [UInt8](repeating: 1, count: count))
        }
    }
}
