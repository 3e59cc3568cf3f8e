import CloudAccounts
import CloudModel

extension UserEndpoints {
    /// `users/current`: the predecessor of `users/caller` (reference B §5.2), in any database.
    package static let current: Endpoint = { call in
        let name = try call.signedInName()
        let entry = try await call.accounts.people.users([.recordName(name)], container: call.identity.container.id)[0]
        var json = JSONWriter()
        json.object { json in
            json.member("userRecordName", name)
            json.member("firstName", entry?.givenName)
            json.member("lastName", entry?.familyName)
        }
        return json
    }
}
