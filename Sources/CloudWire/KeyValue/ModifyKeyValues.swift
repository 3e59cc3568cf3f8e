import CloudModel
import CloudStore

extension KeyValueEndpoints {
    /// `modify`: sets and removes keys atomically, and returns the overwritten values.
    package static let modify: Endpoint = { call in
        let result = try await call.store.keyValues.modify(
            ModifyKeyValuesRequest(
                user: try call.signedInName(), edits: try KeyValueEdit.edits(in: call.body, limits: call.limits),
                changeToken: try call.changeToken(), clientID: try call.clientID(), limits: call.limits))
        var writer = JSONWriter(capacity: result.overwritten.jsonSize)
        writer.object {
            $0.keyValues("overwritten", result.overwritten)
            $0.member("changeToken", result.changeToken)
            $0.member("moreComing", result.moreComing)
        }
        return writer
    }
}
