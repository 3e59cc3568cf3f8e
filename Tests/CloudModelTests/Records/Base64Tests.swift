import CloudModel
import Foundation
import Testing

struct Base64Tests {
    @Test("Base64 agrees with Foundation's implementation") func foundation() {
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
            let unpadded = String(text.prefix { $0 != "=" })
            #expect(Base64.canonical(unpadded) == text)
        }
    }

    @Test(
        "Malformed base64 is refused",
        arguments: ["A", "=", "==", "A===", "AA=", "AB=C", "AA==AA==", "A-_/", "AA A", "AAé=", "AAA\n", "AAAA="])
    func malformed(text: String) {
        #expect(Base64.canonical(text) == nil)
        #expect(Base64.decode(text) == nil)
    }
}
