import CloudAccounts
import CloudModel

extension UserEndpoints {
    /// `users/caller`: the signed-in user, in any database. Writes the keys of both client formats: the identity of
    /// reference B §5.1, and MistKit's flat form.
    package static let caller: Endpoint = { call in
        let name = try call.signedInName()
        let entry = try await call.accounts.people.users([.recordName(name)], container: call.identity.container.id)[0]
        var json = JSONWriter()
        json.object { json in
            json.member("userRecordName", name)
            guard let entry else { return }
            json.member("firstName", entry.givenName)
            json.member("lastName", entry.familyName)
            json.member("emailAddress", entry.email)
            json.nameComponents(of: entry)
            json.lookupInfo(entry.email.map(UserHandle.email) ?? .recordName(name))
        }
        return json
    }
}
