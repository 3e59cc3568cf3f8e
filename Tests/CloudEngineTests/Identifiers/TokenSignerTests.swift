import CloudEngine
import CloudModel
import CloudCrypto
import Foundation
import Testing

struct TokenSignerTests {
    /// Test case 2 of RFC 4231. Texts computed with Python's hmac and base64.
    private let signer = TokenSigner(key: SymmetricKey(data: Data("Jefe".utf8)))
    private let message = "what do ya want for nothing?"
    private let sealed = "d2hhdCBkbyB5YSB3YW50IGZvciBub3RoaW5nP1vcwUa_YHVOagQkJgiVdcdaAD8InSc5g53sWLlk7DhD"

    @Test("Signatures and tokens equal those of earlier versions")
    func formats() {
        let bytes = Array(message.utf8)
        #expect(signer.signature(of: message) == "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM")
        #expect(signer.isSignature("W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM", of: message))
        #expect(signer.seal(bytes) == sealed)
        #expect(signer.open(sealed) == bytes)
        let short = TokenSigner(key: SymmetricKey(data: Data("Jefe".utf8)), size: 8)
        #expect(short.signature(of: bytes) == [0x5B, 0xDC, 0xC1, 0x46, 0xBF, 0x60, 0x75, 0x4E])
        #expect(short.open(short.seal(bytes)) == bytes)
    }

    @Test("A token with any changed letter is refused")
    func changedToken() {
        for payload in ["a", "ab", "abc"] {
            let token = signer.seal(Array(payload.utf8))
            for index in token.indices {
                for letter in ["A", "B", "C", "D", "-", "_", "=", "+", ""] where letter != String(token[index]) {
                    let changed = token.replacingCharacters(in: index...index, with: letter)
                    #expect(signer.open(changed) == nil, "\(changed)")
                }
            }
            #expect(signer.open(token + "=") == nil)
            #expect(signer.open(token + "A") == nil)
        }
    }

    @Test("A signature with any changed letter is refused")
    func changedSignature() {
        let text = signer.signature(of: message)
        for index in text.indices {
            for letter in ["A", "B", "C", "D", "-", "_", "=", "+", ""] where letter != String(text[index]) {
                let changed = text.replacingCharacters(in: index...index, with: letter)
                #expect(!signer.isSignature(changed, of: message), "\(changed)")
            }
        }
    }

    @Test("Another key or another message has another signature")
    func otherKeys() {
        let other = TokenSigner(key: SymmetricKey(data: Data("jefe".utf8)))
        #expect(other.open(sealed) == nil)
        #expect(!other.isSignature(signer.signature(of: message), of: message))
        #expect(!signer.isSignature(signer.signature(of: message), of: message + " "))
        #expect(!signer.isSignature("", of: ""))
        #expect(signer.open("") == nil)
        // A signature alone carries nothing.
        #expect(signer.open(Base64URL.encode(signer.signature(of: [UInt8]()))) == nil)
    }

    @Test("A signature of another length is refused")
    func lengths() {
        let bytes = Array(message.utf8)
        let signature = signer.signature(of: bytes)
        #expect(signer.isSignature(signature, of: bytes))
        #expect(!signer.isSignature(signature.prefix(8), of: bytes))
        #expect(!signer.isSignature(signature + [0], of: bytes))
        #expect(!signer.isSignature([UInt8](), of: bytes))
    }
}
