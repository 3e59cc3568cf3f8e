import CloudAccounts
import CloudModel

extension UserEndpoints {
    /// `users/lookup/contacts`, GET or POST: an older format of `users/discover` (reference B §5.5).
    package static let lookUpContacts: Endpoint = { call in
        let contacts = try await call.contacts(of: try call.searcherName())
        return JSONWriter.users { json in
            for entry in contacts { json.userDictionary(entry, foundBy: .recordName(entry.userRecordName)) }
        }
    }
}
