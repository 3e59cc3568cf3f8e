/// How long what has to do with push tokens takes, in seconds.
package struct PushSettings: Hashable, Sendable {
    /// How long a token lives after its last use (reference B §7.2).
    package var tokenLifetime = 43200.0
    /// How long a poll waits when there is nothing to deliver (reference B §7.4).
    package var courierHold = 25.0
    /// How often a stream of notifications shows that it is there.
    package var eventHeartbeat = 15.0

    package init() {}
}
