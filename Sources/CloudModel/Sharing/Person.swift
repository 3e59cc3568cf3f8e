/// A signed-in person in terms of sharing: the user record name, and addresses for invitations.
package struct Person: Hashable, Sendable {
    /// Nil for people without a user record in the container.
    package let userRecordName: String?
    package let email: String?
    /// Only a verified address matches an invitation (reference B §9.7).
    package let isEmailVerified: Bool
    /// A number counts as verified: only an operator sets it.
    package let phone: String?
    package let names: PersonNames

    package init(
        userRecordName: String?, email: String? = nil, isEmailVerified: Bool = true, phone: String? = nil,
        names: PersonNames = PersonNames()
    ) {
        self.userRecordName = userRecordName
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.phone = phone
        self.names = names
    }

    /// The person's identity as a share's participant.
    package var identity: ShareIdentity {
        ShareIdentity(userRecordName: userRecordName, names: names, lookup: LookupInfo(email: verifiedEmail))
    }

    /// Returns true if this is the person's record name; false for nil.
    package func isUser(_ name: String?) -> Bool { userRecordName?.isExactly(name) ?? false }

    /// The verified email address. Unverified addresses never identify a person.
    var verifiedEmail: String? { isEmailVerified ? email : nil }
}

/// The stored parts of a person's name (reference B §5.0).
package struct PersonNames: Hashable, Sendable {
    package var given: String?
    package var family: String?

    package init(given: String? = nil, family: String? = nil) {
        self.given = given
        self.family = family
    }

    package var isEmpty: Bool { given == nil && family == nil }
}

/// A user identity (reference B §5.0).
package struct ShareIdentity: Hashable, Sendable {
    /// Nil until an invited person comes.
    package var userRecordName: String?
    package var names: PersonNames
    package var lookup: LookupInfo

    package init(userRecordName: String? = nil, names: PersonNames = PersonNames(), lookup: LookupInfo = LookupInfo()) {
        self.userRecordName = userRecordName
        self.names = names
        self.lookup = lookup
    }

    /// - Parameter showsLookup: whether the reader may see the addresses.
    package func write(to writer: inout JSONWriter, showsLookup: Bool = true) {
        writer.object {
            $0.member("userRecordName", userRecordName)
            $0.key("nameComponents")
            $0.object {
                $0.member("givenName", names.given)
                $0.member("familyName", names.family)
            }
            if showsLookup && !lookup.isEmpty {
                $0.key("lookupInfo")
                lookup.write(to: &$0)
            }
        }
    }

    init(_ json: JSONValue?, at place: String) throws(ServerError) {
        guard let json else {
            self.init()
            return
        }
        guard let object = json.object else {
            throw .badRequest("\(known: place) must be an object, not \(known: json.kind)")
        }
        let components = object["nameComponents"]?.object ?? JSONObject()
        self.init(
            userRecordName: try LookupInfo.text("userRecordName", in: object, at: place),
            names: PersonNames(
                given: try LookupInfo.text("givenName", in: components, at: "\(place).nameComponents"),
                family: try LookupInfo.text("familyName", in: components, at: "\(place).nameComponents")),
            lookup: try LookupInfo(object["lookupInfo"], at: "\(place).lookupInfo"))
    }
}
