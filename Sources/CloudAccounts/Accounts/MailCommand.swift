/// The command that sends mail: a program and its arguments.
///
/// The recipient replaces `{to}` in the arguments, or becomes the last argument. Recipients are never read from the message:
/// `-t` of sendmail and compatible programs is removed.
struct MailCommand {
    private static let place = "{to}"
    /// Programs whose `-t` reads recipients from the headers.
    private static let sendmails: Set<Substring> = [
        "sendmail", "msmtp", "ssmtp", "esmtp", "nbsmtp", "exim", "exim4", "dma", "postfix", "opensmtpd",
    ]

    private let words: [String]
    /// True if the command had `-t`, which reads recipients from the headers.
    let leavesOutRecipients: Bool

    /// - Parameter text: words separated by spaces, without shell quoting. The result is nil for no words.
    init?(_ text: String?) {
        let words = (text ?? "").split(separator: " ").map(String.init)
        guard let program = words.first else { return nil }
        guard let name = program.split(separator: "/").last, Self.sendmails.contains(name) else {
            (self.words, leavesOutRecipients) = (words, false)
            return
        }
        let kept = [program] + words.dropFirst().compactMap(Self.withoutRecipients)
        (self.words, leavesOutRecipients) = (kept, kept != words)
    }

    func arguments(to recipient: String) -> [String] {
        guard words.contains(where: { $0.contains(Self.place) }) else { return words + [recipient] }
        return words.map { $0.replacing(Self.place, with: recipient) }
    }

    /// Removes `-t`, alone or combined with `-i`.
    private static func withoutRecipients(_ word: String) -> String? {
        switch word {
        case "-t": nil
        case "-it", "-ti": "-i"
        default: word
        }
    }
}

extension Outbox {
    /// Returns true if `-t` is removed from a mail command.
    package static func leavesOutRecipients(of command: String?) -> Bool {
        MailCommand(command)?.leavesOutRecipients ?? false
    }
}
