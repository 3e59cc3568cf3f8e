import CloudCrypto
import Foundation
import Testing

/// The examples of FIPS 180-4.
@Suite(.timeLimit(.minutes(5)))
struct DigestTests {
    private static let million = String(repeating: "a", count: 1_000_000)

    @Test(
        "SHA-256 agrees with its test vectors",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ), (million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func sha256(message: String, digest: String) {
        #expect(Array(SHA256.hash(data: Data(message.utf8))) == bytes(digest))
    }

    @Test(
        "SHA-1 agrees with its test vectors",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ])
    func sha1(message: String, digest: String) {
        #expect(Array(Insecure.SHA1.hash(data: Data(message.utf8))) == bytes(digest))
    }

    @Test("A message hashed in pieces has the digest of the whole message", arguments: [1, 55, 63, 64, 65, 127, 4096])
    func pieces(size: Int) {
        let message = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        var function = SHA256()
        for start in stride(from: 0, to: message.count, by: size) {
            function.update(data: message[start..<min(start + size, message.count)])
        }
        #expect(function.finalize() == SHA256.hash(data: message))
    }

    @Test("A hash function continues after its digest was read, and a copy is independent")
    func copies() {
        var function = SHA256()
        function.update(data: Array("a".utf8))
        var copy = function
        #expect(function.finalize() == SHA256.hash(data: Array("a".utf8)))
        copy.update(data: Array("x".utf8))
        function.update(data: Array("bc".utf8))
        #expect(function.finalize() == SHA256.hash(data: Array("abc".utf8)))
        #expect(copy.finalize() == SHA256.hash(data: Array("ax".utf8)))
    }

    @Test("One changed byte changes the digest, and equal digests are equal dictionary keys")
    func equality() {
        let digest = SHA256.hash(data: [UInt8]())
        for place in 0..<SHA256Digest.byteCount {
            var message = [UInt8](repeating: 0, count: 32)
            message[place] = 1
            #expect(SHA256.hash(data: message) != SHA256.hash(data: [UInt8](repeating: 0, count: 32)))
            var bytes = Array(digest)
            #expect(digest == bytes)
            bytes[place] ^= 1
            #expect(!(digest == bytes))
        }
        #expect(!(digest == Array(digest.prefix(31))) && !(digest == digest + [0]) && !(digest == []))
        #expect([digest: 1][SHA256.hash(data: Data())] == 1)
        #expect(digest.underestimatedCount == 32 && digest.prefix(4).map(\.self) == bytes("e3b0c442"))
    }
}
