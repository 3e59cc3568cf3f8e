@testable import CloudAccounts
import CloudModel
import TestStore
import Testing

/// Addresses that mail programs and headers take for one address.
struct EmailAddressTests {
    @Test(
        "An address has a dot-atom on each side of the @",
        arguments: [
            "ann@example.com", " ann@example.com ", "Ann.Lee+cloud@mail.example.com", "a@x", "a@localhost",
            "o'brien@example.com", "!#$%&'*+/=?^_`{|}~-@example.com", "1@2.example", "נועה@example.com",
            "jürgen@bücher.example", "阿@例え.テスト",
        ])
    func dotAtom(text: String) throws { _ = try EmailAddress.check(text) }

    @Test(
        "A text that is not a plain address is refused",
        arguments: [
            "a@x,b", "a@x,b@y", "<a@x>", "Ann <a@x>", "a@x(3)", "(a)b@x", "a@x;b", "a:b@x;", "\"a b\"@x", "\"a\"@x",
            "a\\b@x", "a@[127.0.0.1]", "a@x b", "a b@x", "a@@x", "a@x@y", "@x", "a@", "", "a", ".a@x", "a.@x", "a..b@x",
            "a@.x", "a@x.", "a@x..y", "a@x/y", "a@x_y", "-a@x", "-oQ/tmp@x", "a@x\nBcc: b@y", "a\u{0}@x", "a\u{9B}@x",
            "a\u{202E}@x", "a\u{200B}@x", "a@x\u{85}y", "\(String(repeating: "a", count: 250))@x.com",
        ])
    func otherTexts(text: String) {
        #expect(throws: ServerError.self) { try EmailAddress.check(text) }
        #expect(!EmailAddress.isMailable(text))
    }
}
