import ArgumentParser
import CloudModel
import CloudOperations

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Have notifications sent to URLs of your own.",
        subcommands: [Add.self, List.self, Remove.self, DeadLetters.self])

    struct Add: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Send every notification to a URL, and print the secret they are signed with, for the only time.")
        static let arguments: [InputArgument<NewWebhook>] = [
            .argument(\.url), .option(\.place.container), .option(\.place.environment),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let webhook = try await operations.run(WebhookOperations.add, input.draft)
            let place = try input[\.place]
            let isInForce = try await isInForce(webhook, operations)
            return Report(
                webhook.secret ?? "",
                remark: "Webhook \(webhook.id) of \(place.container), \(place.environment.rawValue). "
                    + "The secret is not shown again."
                    + (webhook.doubt.map { "\nNote that \($0); messages wait until it has." } ?? "")
                    + (isInForce ? "" : "\nThe server that is running has not taken it up yet; its log says why."),
                answer: webhook)
        }

        /// Waits up to ten seconds for a running server to start queuing messages for the webhook.
        ///
        /// - Returns: false on timeout.
        private func isInForce(_ webhook: WebhookInfo, _ operations: any Operations) async throws -> Bool {
            for _ in 0..<200 {
                if let local = operations as? LocalOperations, !local.isServed { return true }
                let known = try await operations.all(WebhookOperations.list) {
                    $0.set(\.container, to: webhook.container)
                }
                if known.first(where: { $0.id == webhook.id })?.isInForce ?? true { return true }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }
    }

    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the webhooks.")
        static let arguments: [InputArgument<ContainerPage>] = [.option(\.container)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(WebhookOperations.list, input.draft),
                empty: "There are no webhooks yet.",
                columns: ["ID", "CONTAINER", "ENVIRONMENT", "DEAD LETTERS", "URL"],
                row: {
                    ["\($0.id)", $0.container, $0.environment.rawValue, Counted.shown($0.deadLetters), $0.url]
                })
        }
    }

    struct Remove: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Send nothing more to a webhook, and drop what it has not had.")
        static let operation = WebhookOperations.remove
        static let arguments: [InputArgument<RowChoice>] = [
            .argument(\.id, help: "Its id, as 'cumulus webhook list' shows it.")
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_: Done) throws -> Report {
            let id = try input[\.id]
            return Report("Removed webhook \(id).", json: .members(["id": .integer(id)]))
        }
    }
}
