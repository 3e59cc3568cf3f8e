import CloudModel
import Foundation
import Testing

struct RandomUUIDTests {
    @Test("A random UUID is of version 4, in lower case, and unique")
    func form() throws {
        let texts = (0..<1000).map { _ in RandomUUID.make() }
        for text in texts {
            #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
        }
        #expect(Set(texts).count == texts.count)
    }
}
