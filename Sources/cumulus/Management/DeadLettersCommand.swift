import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

extension WebhookCommand {
    struct DeadLetters: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "dead-letters",
            abstract: "List messages that webhooks did not take, send them again or drop them.")
        static let arguments: [InputArgument<DeadLetterPage>] = [.option(\.webhook)]
        @OptionGroup var input: InputOptions<Self>
        @Flag(help: "Send them again, before newer messages. A running server begins within seconds.") var retry = false
        @Flag(help: "Drop them.") var clear = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if retry, clear { throw ValidationError("Name either --retry or --clear, not both.") }
        }

        func perform(_ operations: any Operations) async throws -> Report {
            if retry {
                let count = try await operations.run(WebhookOperations.retry, input.draft.arguments).count
                return Report("Dead letters to send again: \(count).", json: .count(count))
            }
            if clear {
                let count = try await operations.run(WebhookOperations.clear, input.draft.arguments).count
                return Report("Dropped dead letters: \(count).", json: .count(count))
            }
            let letters = try await operations.all(WebhookOperations.deadLetters, input.draft)
            let urls = try await Self.urls(of: letters, operations)
            return .list(
                letters, empty: "There are no dead letters.",
                columns: ["WEBHOOK", "MESSAGE", "FIRST ATTEMPT", "LAST ATTEMPT", "ATTEMPTS", "STATE", "LAST FAULT"],
                row: {
                    [
                        "\($0.webhook) \(urls[$0.webhook] ?? "")", $0.message, $0.firstAttempt.shown,
                        $0.lastAttempt.shown, "\($0.attempts)", $0.isRetried ? "sent again" : "dead",
                        $0.fault,
                    ]
                })
        }

        /// The webhooks' URLs by webhook ID.
        private static func urls(
            of letters: [DeadLetterInfo], _ operations: any Operations
        ) async throws -> [Int64: String] {
            if letters.isEmpty { return [:] }
            let known = try await operations.all(WebhookOperations.list, [:])
            return Dictionary(known.map { ($0.id, $0.url) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension JSONValue {
    fileprivate static func count(_ count: Int) -> JSONValue { .members(["count": .integer(Int64(count))]) }
}
