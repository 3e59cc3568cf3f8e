import CloudAccounts
import CloudHTTP
package import CloudModel

extension JSONWriter {
    /// `{"users": […]}`.
    package static func users(_ elements: (inout JSONWriter) -> Void) -> JSONWriter {
        var json = JSONWriter()
        json.object { json in
            json.key("users")
            json.array(elements)
        }
        return json
    }

    /// Writes a found user in both client formats (reference B §5.5). Includes the email address only in lookups by email.
    mutating func userDictionary(_ entry: DirectoryEntry, foundBy handle: UserHandle) {
        object { json in
            json.member("userRecordName", entry.userRecordName)
            json.member("firstName", entry.givenName)
            json.member("lastName", entry.familyName)
            if case .email = handle { json.member("emailAddress", entry.email) }
            json.nameComponents(of: entry)
            json.lookupInfo(handle)
        }
    }

    mutating func userNotFound(_ handle: UserHandle) {
        object { json in
            json.handle(handle)
            json.lookupInfo(handle)
            json.errorMembers(ServerError(.notFound, "User not found", .missing(.user)))
        }
    }

    /// Writes `nameComponents`, unless the user has no name.
    mutating func nameComponents(of entry: DirectoryEntry) {
        guard entry.givenName != nil || entry.familyName != nil else { return }
        key("nameComponents")
        object { json in
            json.member("givenName", entry.givenName)
            json.member("familyName", entry.familyName)
        }
    }

    /// Writes `lookupInfo`, the handle of the lookup.
    mutating func lookupInfo(_ handle: UserHandle) {
        key("lookupInfo")
        object { $0.handle(handle) }
    }

    private mutating func handle(_ handle: UserHandle) {
        switch handle {
        case .email(let email): member("emailAddress", email)
        case .phone(let phone): member("phoneNumber", phone)
        case .recordName(let name): member("userRecordName", name)
        }
    }
}
