import CloudAccounts
import CloudHTTP
import CloudModel

/// The browser that asked for an account: a cookie leads it from the link in the mail to the page that takes the code.
enum PendingRegistration {
    static let cookieName = "cumulus_confirm"
    static let path = "/auth/confirm"
    /// A longer address, with an app's long state, is kept without its purpose.
    private static let longest = 2000

    static func cookie(_ id: String, _ purpose: SignInPurpose, _ call: PageCall) -> Cookie {
        let whole = purpose.address(path, adding: [("id", id)])
        let address = whole.utf8.count <= longest ? whole : "\(path)?id=\(PercentEncoding.encode(id))"
        return call.cookie(cookieName, PercentEncoding.encode(address), maxAge: Registration.lifetime)
    }

    /// The address of the page that takes the code; nil in another browser.
    static func address(_ call: PageCall) -> String? {
        guard let text = call.cookie(cookieName), text.utf8.count <= 3 * longest,
            let address = FormFields("a=\(text)".utf8)["a"], address.hasPrefix("\(path)?"),
            address.utf8.count <= longest, address.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        else { return nil }
        return address
    }

    static func ended(_ call: PageCall) -> Cookie { call.cookie(cookieName, "", maxAge: .zero) }
}
