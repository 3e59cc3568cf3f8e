import CloudModel

/// The texts of the messages that tell of one change: written once for subscriptions of the same name and form.
final class MessageTexts {
    private struct Form: Hashable {
        let subscription: String
        let info: [UInt8]?
    }

    /// Forms that are remembered: a user may give each subscription another.
    private static let most = 100
    private var texts: [Form: SharedText?] = [:]
    /// The form that was asked for last, which is mostly the next as well.
    private var last: (form: Form, text: SharedText?)?

    /// The text that users of a subscription's form share; nil where each has another.
    func text(of firing: Firing) -> SharedText? {
        let form = Form(subscription: firing.candidate.name, info: firing.candidate.info)
        if let last, last.form == form { return last.text }
        if texts[form] == nil, texts.count >= Self.most { return nil }
        let text = texts[form] ?? firing.message.frame.map(SharedText.init)
        texts[form] = .some(text)
        last = (form, text)
        return text
    }
}

/// The text of a message for any number of users.
final class SharedText {
    let frame: SubscriptionMessage.Frame

    init(_ frame: SubscriptionMessage.Frame) { self.frame = frame }
}
