import CloudModel

/// The texts of the messages that tell of one change: written once for subscriptions of the same name and form.
final class MessageTexts {
    private struct Form: Hashable {
        let subscription: String
        let info: [UInt8]?
    }

    /// Forms that are remembered: a user may give each subscription another.
    private static let most = 100
    private var frames: [Form: SubscriptionMessage.Frame?] = [:]

    func text(of firing: Firing, badge: Int64) -> [UInt8] {
        let form = Form(subscription: firing.candidate.name, info: firing.candidate.info)
        if frames[form] == nil, frames.count < Self.most { frames[form] = .some(firing.message.frame) }
        return (frames[form] ?? nil)?.text(for: firing.message.user) ?? firing.message.text(badge: badge)
    }
}
