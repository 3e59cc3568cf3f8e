import Foundation
import Testing

@testable import CumulusDemo

struct StoredZipTests {
    /// `1 Lisboa.txt` with four bytes, and `2 ü.txt` with none.
    private static let stored = """
        UEsDBBQAAAAAAAAA0Vq+BICqBAAAAAQAAAAMAAAAMSBMaXNib2EudHh0ZmFkb1BLAwQUAAAIAAAAANFaAAAAAAAAAAAAAAAACAAA
        ADIgw7wudHh0UEsBAhQDFAAAAAAAAADRWr4EgKoEAAAABAAAAAwAAAAAAAAAAAAAAIABAAAAADEgTGlzYm9hLnR4dFBLAQIUAxQA
        AAgAAAAA0VoAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAACAAS4AAAAyIMO8LnR4dFBLBQYAAAAAAgACAHAAAABUAAAAAAA=
        """
    private static let deflated = """
        UEsDBBQAAAAIAAAA0VqEegLmBQAAABgAAAABAAAAYUtMxA4AUEsBAhQDFAAAAAgAAADRWoR6AuYFAAAAGAAAAAEAAAAAAAAAAAAA
        AIABAAAAAGFQSwUGAAAAAAEAAQAvAAAAJAAAAAAA
        """

    private static func bytes(_ base64: String) throws -> Data {
        try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
    }

    @Test
    func filesComeWithTheirNames() throws {
        let entries = try StoredZip(try Self.bytes(Self.stored)).entries
        #expect(entries.map(\.name) == ["1 Lisboa.txt", "2 ü.txt"])
        #expect(entries.map(\.bytes) == [Data("fado".utf8), Data()])
    }

    @Test(arguments: [0, 1, 21, 22, 60, 150])
    func aZipThatIsCutOffIsRefused(length: Int) throws {
        let zip = try Self.bytes(Self.stored)
        #expect(throws: Mismatch.self) { try StoredZip(zip.prefix(length)) }
        #expect(throws: Mismatch.self) { try StoredZip(zip.dropFirst(zip.count - length)) }
    }

    @Test
    func aPackedFileIsRefused() throws {
        #expect(throws: Mismatch.self) { try StoredZip(try Self.bytes(Self.deflated)) }
    }
}
