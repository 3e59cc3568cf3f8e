package import CloudAccounts
package import CloudModel

/// The devices that are notified of an environment's changes.
///
/// Tokens are rows of the accounts file.
package struct DeviceStore: Sendable {
    let stored: StoredEnvironment

    /// Registers or renews a token. Its queue is kept, unless the token now belongs to another user.
    package func register(_ device: Device) async throws {
        try await stored.writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            try DeviceTable.save(device, $0.db)
        }
    }

    /// Registers a token in place of the client's former token, and hands over the former token's queue.
    package func register(_ device: Device, replacing token: Int64) async throws {
        try await stored.writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            try DeviceTable.hand(from: token, to: device, $0.db)
            try DeviceTable.save(device, $0.db)
        }
    }

    /// Deletes a token and its queue.
    package func remove(token: Int64) async throws {
        try await stored.writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            try DeviceTable.delete(token: token, $0.db)
        }
    }

    /// Queues a test message for a device, naming one of its user's subscriptions.
    ///
    /// - Parameter device: the device's row number.
    /// - Throws: `NOT_FOUND` for an unknown device, `BAD_REQUEST` if its user has no subscription.
    package func sendTestNotification(to device: Int64) async throws -> SentTestNotification {
        let context = stored.ownContext
        return try await stored.writes.write(for: context) {
            try TestNotification(device: device).run($0, now: context.now)
        }
    }

    /// Deletes expired tokens and their queues.
    ///
    /// - Returns: the number of deleted tokens.
    package func removeExpired() async throws -> Int {
        let now = stored.now()
        return try await stored.writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            return try DeviceTable.deleteExpired(at: now, $0.db)
        }
    }

    /// The time when the next token expires; nil without tokens.
    package func firstExpiry() async throws -> Timestamp? {
        try await stored.reads.read(.small) { db in try DeviceTable.firstExpiry(db) }
    }
}
