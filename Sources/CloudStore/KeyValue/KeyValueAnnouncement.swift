import CloudModel

extension WriteTransaction {
    /// Tells a user's devices to ask for changes of their key-value store, all but the one that made them. Of several
    /// such messages one waits.
    func announceKeyValues(of user: String) throws {
        let message = KeyValueMessage(
            container: subscribers.container, userRecordName: user, id: RandomUUID.make(), reason: .serverChange)
        try announce(Announcement(user: user, collapse: "\(user) key-value") { _ in message.json })
    }
}
