/// Durations for push tokens and their delivery.
package struct PushSettings: Hashable, Sendable {
    /// The lifetime of a token after its last use (reference B §7.2).
    package var tokenLifetime = Duration.seconds(43200)
    /// The longest wait of a poll (reference B §7.4).
    package var courierHold = Duration.seconds(25)
    /// The interval of keep-alive comments in an event stream.
    package var eventHeartbeat = Duration.seconds(15)

    package init() {}
}
