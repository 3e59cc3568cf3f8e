import CloudAccounts
import CloudModel

extension UserEndpoints {
    /// POST `users/discover`: finds users by email address, phone number or record name (reference B §5.3).
    /// Without `lookupInfos` it acts as the GET.
    ///
    /// Unknown and undiscoverable users get the same answer: the lookup info alone.
    package static let discover: Endpoint = { call in
        guard call.body["lookupInfos"] != nil else { return try await discoverAll(call) }
        let searcher = try call.searcherName()
        let handles = try call.handles("lookupInfos", named: [.recordName, .email, .phone])
        let found = try await call.directory(handles, searcher: searcher)
        return JSONWriter.users { json in
            for (handle, entry) in zip(handles, found) {
                json.object { json in
                    if let entry {
                        json.member("userRecordName", entry.userRecordName)
                        json.nameComponents(of: entry)
                    }
                    json.lookupInfo(handle)
                }
            }
        }
    }
}
