import CloudAccounts
import CloudSQL

/// The devices that a request notifies: one read and one write per device.
struct Listeners {
    private var byUser: [String: [Int64]] = [:]
    private var devices: [Int64: DeviceTable.Listener] = [:]
    /// Changed devices, as they were read.
    private var changed: [Int64: DeviceTable.Listener] = [:]

    /// Reads the devices of users, except users already read.
    ///
    /// - Returns: the newly read devices.
    mutating func prefetch(_ users: [String], in context: WriteContext, _ db: SQLConnection) throws -> Set<Int64> {
        var strangers: Set<String> = []
        // The first call also reads the devices of all users' messages.
        for user in byUser.isEmpty ? users + [Device.everybody] : users where byUser[user] == nil {
            strangers.insert(user)
        }
        if strangers.isEmpty { return [] }
        for user in strangers { byUser[user] = [] }
        var found: Set<Int64> = []
        for listener in try DeviceTable.listeners(strangers.sorted(), in: context, db) {
            byUser[listener.user, default: []].append(listener.id)
            devices[listener.id] = listener
            found.insert(listener.id)
        }
        return found
    }

    /// Counts a message that has moved to a device's queue; the row already counts it.
    mutating func countQueued(_ device: Int64) { devices[device]?.queued += 1 }

    /// Reverts a device to the row that was read.
    mutating func restore(_ device: Int64) {
        if let before = changed.removeValue(forKey: device) { devices[device] = before }
    }

    /// The devices to notify of a user's change; the user must have been prefetched.
    func of(_ user: String) -> [Int64] { (byUser[user] ?? []) + (byUser[Device.everybody] ?? []) }

    subscript(device: Int64) -> DeviceTable.Listener? {
        get { devices[device] }
        set {
            if let before = devices[device], changed[device] == nil { changed[device] = before }
            devices[device] = newValue
        }
    }

    /// Whether any queue has changed since it was read.
    var haveChanged: Bool { !changed.isEmpty }

    /// Writes changed queues back.
    func flush(_ db: SQLConnection) throws {
        var others: [Int64] = []
        for (device, before) in changed {
            guard let now = devices[device], now != before else { continue }
            if now.hasOneMore(than: before) { others.append(device) } else { try DeviceTable.update(now, db) }
        }
        if !others.isEmpty { try DeviceTable.lengthen(others, db) }
    }
}
