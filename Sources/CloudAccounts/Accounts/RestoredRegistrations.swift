import CloudEngine
package import CloudModel
import CloudSQL

extension PushTokens {
    /// Replaces an environment's push registrations by those of its devices, for tokens that have not expired.
    ///
    /// - Returns: the tokens of devices that cannot be registered.
    package func restoreRegistrations(
        of devices: [Device], container: Int64, environment: ContainerEnvironment
    ) async throws -> [Int64] {
        let now = database.now()
        return try await database.pool.write { db in
            try db.run(
                "DELETE FROM pushRegistration WHERE container = ? AND environment = ?", .integer(container),
                .text(environment.rawValue))
            return try devices.filter { device in
                try db.run(
                    """
                    INSERT INTO pushRegistration (token, container, environment, "user", clientID)
                    SELECT id, ?, ?, ?, CAST(? AS TEXT) FROM pushToken WHERE id = ? AND expires > ?
                        AND EXISTS (SELECT 1 FROM userRecord WHERE container = ? AND recordName = ?)
                    """, .integer(container), .text(environment.rawValue), .text(device.user),
                    .text(optional: device.clientID), .integer(device.token), .seconds(now), .integer(container),
                    .text(device.user)) == 0
            }.map(\.token)
        }
    }
}
