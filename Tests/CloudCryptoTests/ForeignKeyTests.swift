import CloudCrypto
import Foundation
import Testing

/// Public keys of other parties. Signatures of RSA are tested with the tokens of `CloudIdentityTests`.
@Suite(.timeLimit(.minutes(5)))
struct ForeignKeyTests {
    @Test(
        "SHA-384 and SHA-512 agree with FIPS 180-4",
        arguments: [
            (
                "abc",
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """
            ),
            (
                "",
                "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
                """
                cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce
                47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
                """
            ),
        ])
    func digests(message: String, sha384: String, sha512: String) {
        #expect(SHA384.hash(data: Array(message.utf8)) == bytes(sha384))
        #expect(SHA512.hash(data: Array(message.utf8)) == bytes(sha512))
    }

    @Test("Ed25519 agrees with RFC 8032 §7.1")
    func ed25519() throws {
        let key = try Ed25519PublicKey(
            rawRepresentation: bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        var signature = bytes(
            """
            92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
            085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
            """)
        #expect(key.isValidSignature(signature, for: [UInt8(0x72)]))
        #expect(!key.isValidSignature(signature, for: [UInt8(0x73)]))
        #expect(!key.isValidSignature(signature.dropLast(), for: [UInt8(0x72)]))
        #expect(!key.isValidSignature(signature + [0], for: [UInt8(0x72)]))
        signature[40] ^= 1
        #expect(!key.isValidSignature(signature, for: [UInt8(0x72)]))
        for count in [0, 31, 33] {
            #expect(throws: MalformedKey.self) {
                try Ed25519PublicKey(rawRepresentation: [UInt8](repeating: 1, count: count))
            }
        }
    }

    @Test("ECDSA over P-384 agrees with RFC 6979 §A.2.6")
    func p384() throws {
        let x = "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13"
        let y = "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720"
        let r = "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46"
        let s = "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8"
        let key = try P384PublicKey(x963Representation: bytes("04" + x + y))
        #expect(key.isValidSignature(bytes(r + s), for: Data("sample".utf8)))
        #expect(!key.isValidSignature(bytes(r + s), for: Data("samples".utf8)))
        #expect(!key.isValidSignature(bytes(s + r), for: Data("sample".utf8)))
        #expect(!key.isValidSignature(bytes(r + s).dropLast(), for: Data("sample".utf8)))
        #expect(!key.isValidSignature([UInt8](repeating: 0, count: 96), for: Data("sample".utf8)))
        for point in ["", "00", "04" + x, "04" + y + x, "06" + x + y, "04" + x + y + "00"] {
            #expect(throws: MalformedKey.self) { try P384PublicKey(x963Representation: bytes(point)) }
        }
    }

    @Test("RSA keys that are too weak, too large or malformed are refused")
    func rsa() throws {
        let modulus = [0x80] + [UInt8](repeating: 1, count: 255)
        let exponent: [UInt8] = [1, 0, 1]
        let key = try RSAPublicKey(modulus: modulus, exponent: exponent)
        for signature in [[], [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0xff, count: 256), [1], modulus] {
            for padding in [RSAPublicKey.Padding.pkcs1, .pss] {
                #expect(!key.isValidSignature(signature, for: [UInt8](), padding: padding, function: .sha256))
            }
        }
        let others: [([UInt8], [UInt8])] = [
            ([], exponent), (modulus, []), (Array(modulus.dropLast()), exponent),
            ([0x40] + Array(modulus.dropFirst()), exponent),
            ([0] + modulus, exponent), (Array(modulus.dropLast()) + [2], exponent), (modulus, [1]), (modulus, [2]),
            (modulus, [0]),
            (modulus, [0, 3]), (modulus, [1, 0, 0, 0, 1]), ([UInt8](repeating: 0xff, count: 1025), exponent),
        ]
        for (modulus, exponent) in others {
            #expect(throws: MalformedKey.self) { try RSAPublicKey(modulus: modulus, exponent: exponent) }
        }
    }
}
