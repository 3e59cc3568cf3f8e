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
    /// Queues a message for each device of its user but those of the client whose request this is.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    func announce(_ announcement: Announcement) throws -> Bool {
        guard let occasion else { return false }
        let devices = try DeviceTable.listeners(announcement.user, on: occasion, db)
        for device in devices {
            try NotificationQueue.put(
                collapse: announcement.collapse, for: device, on: occasion, badges: announcement.badges,
                announcement.body, db)
            wake(token: device.token)
        }
        return !devices.isEmpty
    }
}
