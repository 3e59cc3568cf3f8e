import CloudCrypto
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KeyedDigestTests {
    private static func fill(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

    @Test(
        "HMAC with SHA-256 agrees with RFC 4231, with a key of one block and with empty input",
        arguments: [
            (
                fill(0x0b, 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (fill(0xaa, 20), fill(0xdd, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
            (Array(1...25), fill(0xcd, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
            (
                fill(0xaa, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                fill(0xaa, 131),
                Array(
                    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
                        .utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
            (fill(0xaa, 64), Array("x".utf8), "ce3c639dcb9d8baae5d44c3b8b5e233faab4d1860e07489af5c84f213998bd79"),
            ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ])
    func hmac(key: [UInt8], message: [UInt8], code: String) {
        let made = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
        #expect(Array(made) == bytes(code))
    }

    @Test(
        "HMAC with SHA-1 agrees with RFC 2202",
        arguments: [
            (fill(0x0b, 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
            (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (
                fill(0xaa, 80), "Test Using Larger Than Block-Size Key - Hash Key First",
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ])
    func hmacSHA1(key: [UInt8], message: String, code: String) {
        let made = HMAC<Insecure.SHA1>.authenticationCode(for: Data(message.utf8), using: SymmetricKey(data: key))
        #expect(Array(made) == bytes(code))
    }

    @Test(
        "HKDF agrees with RFC 5869",
        arguments: [
            (
                fill(0x0b, 22), Array(0...0x0c), Array(0xf0...0xf9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                Array(0...0x4f), Array(0x60...0xaf), Array(0xb0...0xff),
                """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
                da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
            ),
            (
                fill(0x0b, 22), [], [],
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ] as [([UInt8], [UInt8], [UInt8], String)])
    func hkdf(material: [UInt8], salt: [UInt8], info: [UInt8], key: String) {
        let key = bytes(key)
        let made = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: info, outputByteCount: key.count)
        #expect(made.withUnsafeBytes { Array($0) } == key)
    }

    @Test(
        "scrypt agrees with RFC 7914",
        arguments: [
            (
                "", "", 16, 1, 1,
                """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
                fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """
            ),
            (
                "password", "NaCl", 1024, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 16384, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """
            ),
        ])
    func scrypt(password: String, salt: String, rounds: Int, blockSize: Int, parallelism: Int, key: String) throws {
        let made = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: Data(salt.utf8), outputByteCount: 64, rounds: rounds,
            blockSize: blockSize, parallelism: parallelism)
        #expect(made.withUnsafeBytes { Array($0) } == bytes(key))
    }

    @Test(
        "Invalid and memory-hungry scrypt parameters are refused",
        arguments: [
            (0, 8, 1), (1, 8, 1), (3, 8, 1), (-16, 8, 1), (16, 0, 1), (16, -1, 1), (16, 8, 0), (16, 8, -1),
            (.max, 8, 1), (16, .max, 1), (16, 8, .max), (16, 1 << 20, 1 << 20), (1 << 30, 8, 1), (1 << 62, 1 << 20, 1),
        ])
    func scryptParameters(rounds: Int, blockSize: Int, parallelism: Int) {
        #expect(throws: KDF.Scrypt.Fault.self) {
            try KDF.Scrypt.deriveKey(
                from: Data("a".utf8), salt: Data("b".utf8), outputByteCount: 32, rounds: rounds, blockSize: blockSize,
                parallelism: parallelism)
        }
    }

    @Test("A new key has 32 random bytes")
    func newKey() {
        let keys = (0..<2).map { _ in SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }
        #expect(keys[0].count == 32 && keys[0] != keys[1])
    }
}
