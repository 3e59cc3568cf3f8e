@testable import CloudAccounts
import Foundation
import TestStore
import Testing

struct PasswordHashTests {
    @Test("A password hash stores its cost, and is checked at that cost")
    func cost() throws {
        let hash = try PasswordHash(password: "Tr0ub4dor&3", cost: 4)
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        let stored = PasswordHash(stored: hash.text)
        #expect(stored.fits("Tr0ub4dor&3") && !stored.fits("Tr0ub4dor&4"))
        #expect(!PasswordHash(stored: hash.text.replacing("ln=4", with: "ln=5")).fits("Tr0ub4dor&3"))
    }

    @Test("The program hashes at full cost")
    func fullCost() throws {
        #expect(AccountStore.passwordCost == 15)
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path())
        where path.hasSuffix(".swift") && !path.hasSuffix("/AccountStore.swift") {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            #expect(!text.contains("passwordCost"), "\(path)")
        }
    }
}
