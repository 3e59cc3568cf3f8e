/// The notification that makes a device fetch changes of the key-value store (reference B §7.5).
package struct KeyValueMessage: Hashable, Sendable {
    package let container: String
    /// The record name of the store's user.
    package let userRecordName: String
    /// The notification's ID, shared by all notified devices.
    package let id: String
    package let reason: KeyValueReason

    package init(container: String, userRecordName: String, id: String, reason: KeyValueReason) {
        self.container = container
        self.userRecordName = userRecordName
        self.id = id
        self.reason = reason
    }

    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.key("aps")
            $0.object { $0.member("content-available", 1) }
            $0.key("ck")
            $0.object {
                $0.member("ce", 2)
                $0.member("cid", container)
                $0.member("ckuserid", userRecordName)
                $0.member("nid", id)
                $0.key("kvs")
                $0.object { $0.member("reason", reason.rawValue) }
            }
        }
        return writer.bytes
    }
}
