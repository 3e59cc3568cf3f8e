import CloudModel

extension Announcer {
    /// Tells a user's devices, except the device that made the change, to fetch key-value changes. A device's queue holds at
    /// most one such message.
    func announceKeyValues(of user: String) throws {
        let message = KeyValueMessage(
            container: transaction.subscribers.container, userRecordName: user, id: RandomUUID.make(),
            reason: .serverChange)
        try announce(Announcement(user: user, collapse: "\(user) key-value") { _ in message.json })
    }
}
