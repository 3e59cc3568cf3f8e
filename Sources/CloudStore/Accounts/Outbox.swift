import CloudModel
import Foundation
import Subprocess

/// A message to one person, as it is handed to a mail program.
package struct MailMessage: Hashable, Sendable {
    package let from: String
    /// An address without spaces or line breaks in it, as accounts have.
    package let to: String
    package let subject: String
    package let text: String

    package init(from: String, to: String, subject: String, text: String) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
    }

    /// The message with its headers (RFC 5322), with the line ends of this system, which mail programs expect.
    var source: String {
        """
        From: \(from)
        To: \(to)
        Subject: \(subject)
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: 8bit
        Auto-Submitted: auto-generated

        \(text)

        """
    }
}

/// Where messages to people go: into a folder, or to a command that sends them.
package struct Outbox: Sendable {
    /// Seconds a command may take.
    private static let patience = 20.0

    private let folder: String
    private let command: [String]

    /// - Parameter command: a program and its arguments, with spaces between; it gets the message on its standard
    ///   input. No shell reads it. Nil to leave messages in the folder.
    package init(folder: DataFolder, command: String?) {
        self.folder = folder.outbox
        self.command = (command ?? "").split(separator: " ").map(String.init)
    }

    package func send(_ message: MailMessage) async throws {
        guard !command.isEmpty else { return try write(message) }
        let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
            group.addTask {
                try await run(
                    .name("env"), arguments: Arguments(["--"] + command), input: .string(message.source),
                    output: .discarded, error: .discarded
                ).terminationStatus
            }
            group.addTask {
                try await Task.sleep(for: .seconds(Self.patience))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let status, status.isSuccess else {
            throw ServerError(.internalError, "the mail command did not take a message")
        }
    }

    private func write(_ message: MailMessage) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // No part of the name is anybody's choice.
        let file = URL(filePath: folder).appending(
            path: "\(Int(Date().timeIntervalSince1970))-\(RandomUUID.make()).eml")
        try Data(message.source.utf8).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
    }
}
