import CloudModel

/// The message texts of one change: written once for all subscriptions of the same name and notification info.
final class MessageTexts {
    private struct Form: Hashable {
        let subscription: String
        let info: [UInt8]?
    }

    /// The most forms to keep: a user may give each subscription its own form.
    private static let most = 100
    private var texts: [Form: SharedText?] = [:]
    /// The latest form, usually also the next.
    private var last: (form: Form, text: SharedText?)?

    /// The text shared by a form's users; nil where each user needs an individual text.
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
