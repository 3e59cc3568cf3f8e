import CloudSQL

/// The devices that a request tells something, as their queues will stand: looked up once, written back once.
struct Listeners {
    private var byUser: [String: [Int64]] = [:]
    private var devices: [Int64: DeviceTable.Listener] = [:]
    /// Those that have changed, as they were looked up.
    private var changed: [Int64: DeviceTable.Listener] = [:]

    /// Gets to know the devices of these users, of those not known yet.
    ///
    /// - Returns: the devices that were not known.
    mutating func prefetch(_ users: [String], in context: WriteContext, _ db: SQLConnection) throws -> Set<Int64> {
        var strangers: Set<String> = []
        // The first to be met brings those who listen to everybody.
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

    /// Notes that a message was moved to a device's queue, which its row says by now.
    mutating func noteQueued(_ device: Int64) { devices[device]?.queued += 1 }

    /// Leaves a device's row as it was looked up.
    mutating func restore(_ device: Int64) {
        if let before = changed.removeValue(forKey: device) { devices[device] = before }
    }

    /// The devices that are told what concerns a user that has been met.
    func of(_ user: String) -> [Int64] { (byUser[user] ?? []) + (byUser[Device.everybody] ?? []) }

    subscript(device: Int64) -> DeviceTable.Listener? {
        get { devices[device] }
        set {
            if let before = devices[device], changed[device] == nil { changed[device] = before }
            devices[device] = newValue
        }
    }

    /// Whether any queue is another than it was looked up.
    var haveChanged: Bool { !changed.isEmpty }

    /// Writes down how the queues stand.
    func flush(_ db: SQLConnection) throws {
        var others: [Int64] = []
        for (device, before) in changed {
            guard let now = devices[device], now != before else { continue }
            if now.hasOneMore(than: before) { others.append(device) } else { try DeviceTable.update(now, db) }
        }
        if !others.isEmpty { try DeviceTable.lengthen(others, db) }
    }
}
