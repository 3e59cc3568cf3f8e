/// The durations that have to do with push tokens.
package struct PushSettings: Hashable, Sendable {
    /// The lifetime of a token after its last use (reference B §7.2).
    package var tokenLifetime = Duration.seconds(43200)
    /// The time that a poll waits when there is nothing to deliver (reference B §7.4).
    package var courierHold = Duration.seconds(25)
    /// The interval at which a stream of notifications shows that it is there.
    package var eventHeartbeat = Duration.seconds(15)

    package init() {}
}
