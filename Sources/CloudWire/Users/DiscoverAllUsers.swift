import CloudAccounts
import CloudModel

extension UserEndpoints {
    /// GET `users/discover`: the caller's contacts, meaning all other users of the container (reference B §5.4).
    package static let discoverAll: Endpoint = { call in
        let contacts = try await call.contacts(of: try call.searcherName())
        return JSONWriter.users { json in
            for entry in contacts {
                json.object { json in
                    json.member("userRecordName", entry.userRecordName)
                    json.nameComponents(of: entry)
                    json.lookupInfo(.recordName(entry.userRecordName))
                }
            }
        }
    }
}
