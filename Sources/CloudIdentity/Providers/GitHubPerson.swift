import CloudModel

/// A person at GitHub, which has no ID tokens: from `GET /user` and `GET /user/emails`.
package struct GitHubPerson: Hashable, Sendable {
    package enum Fault: String, Error, CaseIterable, Sendable {
        case json = "GitHub's answer is not JSON, or names a member twice"
        case id = "GitHub's answer has no id of a person"
    }

    /// The number of the account: the login changes hands.
    package let subject: String
    package let name: String?
    /// The address that is both primary and verified.
    package let email: String?

    /// - Parameters:
    ///   - user: the answer of `GET /user`.
    ///   - emails: the answer of `GET /user/emails`; nil without the scope `user:email`.
    package init(user: [UInt8], emails: [UInt8]?) throws(Fault) {
        guard let object = try? StrictJSON.object(user) else { throw .json }
        guard let id = object["id"]?.integer, id > 0 else { throw .id }
        subject = String(id)
        name = ToldName.cleaned(object["name"]?.string)
        if let emails { email = try Self.email(emails) } else { email = nil }
    }

    private static func email(_ bytes: [UInt8]) throws(Fault) -> String? {
        let entries: JSONValue
        do { entries = try JSONParser.parse(bytes) } catch { throw .json }
        let primary = entries.array?.compactMap(\.object).first {
            $0["primary"] == .bool(true) && $0["verified"] == .bool(true)
        }
        return primary?["email"]?.string.flatMap { ToldAddress.isAddress($0) ? $0 : nil }
    }
}
