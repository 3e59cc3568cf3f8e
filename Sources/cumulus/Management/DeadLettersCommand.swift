import ArgumentParser
import CloudModel
import CloudStore
import Foundation

extension WebhookCommand {
    struct DeadLetters: ManagementCommand {
        static let configuration = CommandConfiguration(
            commandName: "dead-letters",
            abstract: "List messages that webhooks did not take, send them again or drop them.")
        @Option(help: "Only those of this webhook.") var webhook: Int?
        @Flag(help: "Send them again, before newer messages. A running server begins within seconds.") var retry = false
        @Flag(help: "Drop them.") var clear = false
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if retry, clear { throw ValidationError("Either --retry or --clear: what is dropped cannot be sent.") }
        }

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let webhook = webhook.map(Int64.init)
            if retry {
                let count = try await accounts.retryDeadLetters(of: webhook)
                return Report("Dead letters to send again: \(count).", json: .count(count))
            }
            if clear {
                let count = try await accounts.clearDeadLetters(of: webhook)
                return Report("Dropped dead letters: \(count).", json: .count(count))
            }
            return .list(
                try await accounts.deadLetters(of: webhook), empty: "There are no dead letters.",
                columns: ["WEBHOOK", "MESSAGE", "FIRST ATTEMPT", "LAST ATTEMPT", "ATTEMPTS", "STATE", "LAST FAULT"],
                row: {
                    [
                        "\($0.webhook)", $0.message, $0.firstAttempt.date.formatted(.iso8601),
                        $0.lastAttempt.date.formatted(.iso8601), "\($0.attempts)", $0.isRetried ? "sent again" : "dead",
                        $0.fault,
                    ]
                }, json: \.json)
        }
    }
}

extension DeadLetter {
    /// With the message as a text, exactly as it was signed.
    fileprivate var json: JSONValue {
        .members([
            "webhook": .integer(webhook), "message": .string(message), "firstAttempt": .date(firstAttempt),
            "lastAttempt": .date(lastAttempt), "attempts": .integer(Int64(attempts)), "isRetried": .bool(isRetried),
            "fault": .string(fault), "body": .string(String(decoding: body, as: UTF8.self)),
        ])
    }
}

extension JSONValue {
    fileprivate static func count(_ count: Int) -> JSONValue { .members(["count": .integer(Int64(count))]) }
}
