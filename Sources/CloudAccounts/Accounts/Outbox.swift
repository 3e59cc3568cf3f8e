import CloudAssets
package import CloudEngine
import CloudModel
import Foundation
import Subprocess

/// An email message to one recipient, for a mail program.
package struct MailMessage: Hashable, Sendable {
    package let from: String
    /// The only recipient: the address of an account.
    package let to: String
    package let subject: String
    package let text: String

    package init(from: String, to: String, subject: String, text: String) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
    }

    /// A header's text in ASCII, as encoded words of at most 75 characters (RFC 2047) where it is needed.
    private static func header(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        var words: [[UInt8]] = [[]]
        for character in text {
            let bytes = Array(String(character).utf8)
            if let last = words.last, last.count + bytes.count > 45 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\n ")
    }

    /// The message with headers (RFC 5322) and this system's line endings, which mail programs expect.
    var source: String {
        """
        From: \(from)
        To: \(to)
        Subject: \(Self.header(subject))
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: 8bit
        Auto-Submitted: auto-generated

        \(text)

        """
    }
}

/// An unsent message, with the reason for the operator.
package struct MailFailure: Error {
    package let reason: String
}

/// Delivers messages to users: writes them to a folder, or runs a mail command.
package struct Outbox: Sendable {
    /// The time limit for a mail command.
    private static let patience = Duration.seconds(20)

    private let folder: String
    private let root: String
    private let command: MailCommand?
    private let now: Now

    /// - Parameter command: a ``MailCommand``, which reads the message from standard input. If nil, messages are written to
    ///   the folder.
    package init(folder: DataFolder, command: String?) {
        self.folder = folder.outbox
        root = folder.path
        now = folder.now
        self.command = MailCommand(command)
    }

    /// - Throws: ``MailFailure`` if the message cannot be written or sent.
    package func send(_ message: MailMessage) async throws {
        guard EmailAddress.isMailable(message.to) else {
            throw MailFailure(reason: "the account's address is none that mail can be sent to; make a new account")
        }
        do {
            if let command { try await run(command, message) } else { try write(message) }
        } catch let error where !(error is CancellationError || error is MailFailure) {
            throw MailFailure(reason: "\(error)")
        }
    }

    /// The command reads a file instead of a pipe: if it closed a pipe early, SIGPIPE would end this process.
    private func run(_ command: MailCommand, _ message: MailMessage) async throws {
        let file = "\(folder)-\(RandomUUID.make()).eml"
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(message.source.utf8), attributes: [.posixPermissions: 0o600])
        else { throw MailFailure(reason: "the message could not be written") }
        let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
            group.addTask {
                // The command and its arguments reach the shell as arguments, which it does not parse.
                try await Subprocess.run(
                    .name("sh"),
                    arguments: Arguments(
                        ["-c", #"exec <"$1"; shift; exec "$@""#, "sh", file] + command.arguments(to: message.to)),
                    output: .discarded, error: .discarded
                ).terminationStatus
            }
            group.addTask {
                try await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let status, status.isSuccess else {
            throw MailFailure(reason: "the mail command ended with \(status.map { "\($0)" } ?? "nothing, in time")")
        }
    }

    private func write(_ message: MailMessage) throws {
        try Folder.make(folder, in: root)
        // No user input goes into the file name.
        let name = "\(now().wholeSeconds)-\(RandomUUID.make()).eml"
        try LineWriter.save(Array(message.source.utf8), as: "\(folder)/\(name)")
    }
}
