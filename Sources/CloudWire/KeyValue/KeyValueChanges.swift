import CloudModel
import CloudStore

extension KeyValueEndpoints {
    /// `changes`: changes since a token, with the reason for the device's notification.
    package static let changes: Endpoint = { call in
        let page = try await call.store.keyValues.changes(
            KeyValueChangesRequest(
                user: try call.signedInName(), changeToken: try call.changeToken(),
                limit: try call.resultsLimit(call.body), limits: call.limits))
        var writer = JSONWriter(capacity: page.changes.jsonSize)
        writer.object {
            $0.keyValues("values", page.changes.filter { $0.json != nil })
            $0.key("removed")
            $0.array { for change in page.changes where change.json == nil { $0.string(change.key) } }
            $0.member("reason", page.reason.rawValue)
            $0.member("changeToken", page.changeToken)
            $0.member("moreComing", page.moreComing)
        }
        return writer
    }
}
