import CloudAccounts
import CloudEngine
import CloudModel
import Foundation
import TestEngine
import TestStore
import Testing

/// Messages handed to a mail program: a script that writes down its arguments and its input.
@Suite(.timeLimit(.minutes(5)))
struct OutboxTests {
    private static let message = MailMessage(
        from: "cloud@example.com", to: "ann@example.com", subject: "Hello", text: "A text")

    private func withProgram(
        named name: String = "sendmail",
        _ body: (
            _ program: String, _ outbox: (String?) throws -> Outbox,
            _ arguments: () throws -> [String]
        ) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = "\(folder)/\(name)"
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.arguments\"\ncat >\"$0.input\"\n"
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let data = try DataFolder(path: folder, engine: TestEngine())
        try await body(program, { Outbox(folder: data, command: $0) }) {
            try String(contentsOfFile: program + ".arguments", encoding: .utf8)
                .split(separator: "\n").map(String.init)
        }
    }

    @Test(
        "The mail program gets the recipient as an argument, and never the option to read recipients",
        arguments: [
            ("", ["ann@example.com"]), (" -i", ["-i", "ann@example.com"]), (" -t -i", ["-i", "ann@example.com"]),
            (" -i -t", ["-i", "ann@example.com"]), (" -ti", ["-i", "ann@example.com"]), (" -t", ["ann@example.com"]),
            (" --to {to} -x", ["--to", "ann@example.com", "-x"]), (" --to={to}", ["--to=ann@example.com"]),
        ])
    func recipient(rest: String, expected: [String]) async throws {
        try await withProgram { program, outbox, arguments in
            try await outbox(program + rest).send(Self.message)
            #expect(try arguments() == expected)
            let input = try String(contentsOfFile: program + ".input", encoding: .utf8)
            #expect(input.hasPrefix("From: cloud@example.com\nTo: ann@example.com\nSubject: Hello\n"))
        }
    }

    @Test("An option of another mail program stays unchanged") func otherPrograms() async throws {
        try await withProgram(named: "notify") { program, outbox, arguments in
            try await outbox("\(program) -t html").send(Self.message)
            #expect(try arguments() == ["-t", "html", "ann@example.com"])
        }
    }

    @Test(
        "An invalid address of an earlier version is given to no program and written to no folder",
        arguments: ["a@x,b@y", "<a@x>", "-oQ/tmp@x", "a@x(3)"])
    func oldAddresses(address: String) async throws {
        try await withProgram { program, outbox, _ in
            let message = MailMessage(from: "cloud@example.com", to: address, subject: "Hello", text: "A text")
            for command in [program, nil] {
                await #expect(throws: MailFailure.self) { try await outbox(command).send(message) }
            }
            #expect(!FileManager.default.fileExists(atPath: program + ".arguments"))
        }
    }
}
