import CloudSQL

/// The devices that a request tells something, as their queues will stand: looked up once, written back once.
struct Listeners {
    private var byUser: [String: [Int64]] = [:]
    private var devices: [Int64: DeviceTable.Listener] = [:]
    /// Those that have changed, as they were looked up.
    private var changed: [Int64: DeviceTable.Listener] = [:]

    /// Gets to know the devices of these users, of those not known yet.
    mutating func prefetch(_ users: [String], in context: WriteContext, _ db: SQLConnection) throws {
        var strangers: Set<String> = []
        // The first to be met brings those who listen to everybody.
        for user in byUser.isEmpty ? users + [Device.everybody] : users where byUser[user] == nil {
            strangers.insert(user)
        }
        if strangers.isEmpty { return }
        for user in strangers { byUser[user] = [] }
        for (user, listener) in try DeviceTable.listeners(strangers.sorted(), in: context, db) {
            byUser[user, default: []].append(listener.id)
            devices[listener.id] = listener
        }
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
