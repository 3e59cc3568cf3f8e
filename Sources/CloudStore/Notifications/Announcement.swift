/// A message for the devices of a user, in the transaction of the change it tells of.
struct Announcement {
    /// User record name.
    let user: String
    /// Names what one waiting message may stand for; nil for a message of its own.
    var collapse: String?
    /// Whether it counts on the device's badge.
    var badges = false
    /// The text, given the badge's number.
    let body: (_ badge: Int64) -> [UInt8]
}

extension WriteTransaction {
    /// Looks up the devices of all these users at once.
    func meet(_ users: [String]) throws {
        guard let occasion, !users.isEmpty else { return }
        try listeners.meet(users, on: occasion, db)
    }

    /// Queues a message for each device of its user but those of the client whose request this is.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    func announce(_ announcement: Announcement) throws -> Bool {
        guard let occasion else { return false }
        try meet([announcement.user])
        let devices = listeners.of(announcement.user)
        for device in devices {
            guard var listener = listeners[device] else { continue }
            try NotificationQueue.put(announcement, for: &listener, on: occasion, db)
            listeners[device] = listener
            wake(token: listener.token)
        }
        return !devices.isEmpty
    }
}
