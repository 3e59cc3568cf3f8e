/// How long what has to do with push tokens takes.
package struct PushSettings: Hashable, Sendable {
    /// How long a token lives after its last use (reference B §7.2).
    package var tokenLifetime = Duration.seconds(43200)
    /// How long a poll waits when there is nothing to deliver (reference B §7.4).
    package var courierHold = Duration.seconds(25)
    /// How often a stream of notifications shows that it is there.
    package var eventHeartbeat = Duration.seconds(15)

    package init() {}
}
