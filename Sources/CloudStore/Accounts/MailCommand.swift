/// The command that sends messages: a program and its arguments.
///
/// It is given the recipient as an argument, in the place of `{to}` or as the last one, and never reads recipients from the
/// message: `-t` of sendmail and of the programs in its place is left out.
struct MailCommand {
    private static let place = "{to}"
    /// Programs whose `-t` reads recipients from the headers.
    private static let sendmails: Set<Substring> = [
        "sendmail", "msmtp", "ssmtp", "esmtp", "nbsmtp", "exim", "exim4", "dma", "postfix", "opensmtpd",
    ]

    private let words: [String]
    /// True if the command asked for recipients from the headers.
    let leavesOutRecipients: Bool

    /// - Parameter text: words with spaces between. No shell takes them apart. Nil when there are none.
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

    /// `-t`, alone or with `-i` in one word.
    private static func withoutRecipients(_ word: String) -> String? {
        switch word {
        case "-t": nil
        case "-it", "-ti": "-i"
        default: word
        }
    }
}

extension Outbox {
    /// Returns true if `-t` is left out of a mail command.
    package static func leavesOutRecipients(of command: String?) -> Bool {
        MailCommand(command)?.leavesOutRecipients ?? false
    }
}
