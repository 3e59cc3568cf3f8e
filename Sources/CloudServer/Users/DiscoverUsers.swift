import CloudModel
import CloudStore

extension UserEndpoints {
    /// POST `users/discover`: the users that addresses, numbers or record names belong to (reference B §5.3).
    /// Without `lookupInfos` it is the GET.
    ///
    /// Somebody unknown and somebody who is not discoverable are answered alike, with the lookup info alone.
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
