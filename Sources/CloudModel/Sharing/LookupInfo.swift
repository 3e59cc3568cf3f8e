/// The addressee of an invitation (reference B §5.0): an email address, a phone number or a user record name.
package struct LookupInfo: Hashable, Sendable {
    package var email: String?
    package var phone: String?
    package var userRecordName: String?

    package init(email: String? = nil, phone: String? = nil, userRecordName: String? = nil) {
        self.email = email
        self.phone = phone
        self.userRecordName = userRecordName
    }

    package var isEmpty: Bool { email == nil && phone == nil && userRecordName == nil }

    /// Returns true for the same address, in any spelling.
    package func isSame(as other: LookupInfo) -> Bool {
        if let email, let theirs = other.email { return Self.key(email: email).isExactly(Self.key(email: theirs)) }
        if let phone, let theirs = other.phone { return Self.key(phone: phone).isExactly(Self.key(phone: theirs)) }
        if let userRecordName, let theirs = other.userRecordName { return userRecordName.isExactly(theirs) }
        return false
    }

    /// A comparison key that ignores case, surrounding whitespace and the spelling of international domains.
    package static func key(email: String) -> String { AddressKey.make(email) }

    /// A comparison key that ignores spaces and dashes.
    package static func key(phone: String) -> String {
        phone.filter { !" -().\u{A0}".contains($0) }
    }

    /// Parses `lookupInfo`; refuses overlong texts.
    package init(_ json: JSONValue?, at place: String) throws(ServerError) {
        guard let json else { return }
        guard let object = json.object else {
            throw .badRequest("\(known: place) must be an object, not \(known: json.kind)")
        }
        email = try Self.text("emailAddress", in: object, at: place)
        phone = try Self.text("phoneNumber", in: object, at: place)
        userRecordName = try Self.text("userRecordName", in: object, at: place)
    }

    static let longestText = 255

    static func text(_ key: String, in object: JSONObject, at place: String) throws(ServerError) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else {
            throw .badRequest("\(known: place).\(known: key) must be a string, not \(known: value.kind)")
        }
        guard text.utf8.count <= longestText * 4, text.unicodeScalars.count <= longestText else {
            throw .badRequest(
                "\(known: place).\(known: key) has more than \(longestText) characters", .limit(longestText))
        }
        return text.isEmpty ? nil : text
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("emailAddress", email)
            $0.member("phoneNumber", phone)
            $0.member("userRecordName", userRecordName)
        }
    }
}
