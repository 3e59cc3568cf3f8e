import CloudModel

/// One message's text for any number of users.
final class SharedText {
    let frame: SubscriptionMessage.Frame

    init(_ frame: SubscriptionMessage.Frame) { self.frame = frame }
}
