package import CloudModel

extension StoredEnvironment {
    package func register(_ device: Device) async throws {
        try await writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            try DeviceTable.save(device, $0.db)
        }
    }

    package func register(_ device: Device, replacing token: Int64) async throws {
        try await writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            try DeviceTable.hand(from: token, to: device, $0.db)
            try DeviceTable.save(device, $0.db)
        }
    }

    package func removeDevice(token: Int64) async throws {
        try await writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            try DeviceTable.delete(token: token, $0.db)
        }
    }

    package func sendTestNotification(to device: Int64) async throws -> SentTestNotification {
        let context = ownContext
        return try await writes.write(for: context) {
            try TestNotification(device: device).run($0, now: context.now)
        }
    }

    package func removeExpiredDevices() async throws -> Int {
        let now = now()
        return try await writes.write(for: nil) {
            try CrowdMessages.settleAll($0.db)
            return try DeviceTable.deleteExpired(at: now, $0.db)
        }
    }

    package func firstExpiry() async throws -> Timestamp? {
        try await reads.read(.small) { db in try DeviceTable.firstExpiry(db) }
    }

    /// The number of the newest stored message; 0 without messages.
    func newestNotification() async throws -> Int64 {
        try await reads.read(.small) { db in try NotificationQueue.newest(db) }
    }

    /// The tokens with undelivered messages.
    func tokensWithNotifications(among tokens: Set<Int64>) async throws -> Set<Int64> {
        try await reads.read { db in try NotificationQueue.waiting(among: tokens, db) }
    }

    package func nextNotification(token: Int64) async throws -> QueuedNotification? {
        let now = now()
        return try await reads.read(.small) { db in try NotificationQueue.next(token: token, now: now, db) }
    }

    package func notifications(token: Int64, after id: Int64, limit: Int) async throws -> [QueuedNotification] {
        let now = now()
        return try await reads.read(.small) { db in
            try NotificationQueue.list(token: token, after: id, limit: limit, now: now, db)
        }
    }

    package func acknowledge(_ place: DeliveredMessage, token: Int64) async throws {
        try await writes.write(for: nil) { try NotificationQueue.acknowledge(place, token: token, $0.db) }
    }

    package func pushedOut(token: Int64, limit: Int) async throws -> [QueuedNotification] {
        try await reads.read(.small) { db in try PushedOut.list(token: token, limit: limit, db) }
    }

    package func forgetPushedOut(token: Int64, through id: Int64) async throws {
        try await writes.write(for: nil) { try PushedOut.delete(token: token, through: id, $0.db) }
    }

    package func acknowledge(_ notifications: [QueuedNotification], keeping: Bool) async throws {
        try await writes.write(for: nil) { try NotificationQueue.acknowledge(notifications, keeps: keeping, $0.db) }
    }
}
