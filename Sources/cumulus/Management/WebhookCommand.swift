import ArgumentParser
import CloudModel
import CloudServer
import CloudStore

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Have notifications sent to URLs of your own.",
        subcommands: [Add.self, List.self, Remove.self, DeadLetters.self])

    struct Add: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send every notification to a URL, and print the secret they are signed with, for the only time.")
        @Argument(help: "Where to: an http or https URL.") var url: String
        @Option(help: "The container whose notifications they are.") var container: String
        @Option(help: "The environment: development or production.") var environment: ContainerEnvironment
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let url = try WebhookURL(checking: url)
            let doubt = try await doubt(about: url)
            let (secret, webhook) = try await accounts.addWebhook(
                container: container, environment: environment, url: url)
            let isInForce = try await isInForce(webhook.id, accounts, folder)
            return Report(
                secret.text,
                remark: "Webhook \(webhook.id) of \(container), \(environment.rawValue). The secret is not shown again."
                    + (doubt.map { "\nNote that \($0); messages wait until it has." } ?? "")
                    + (isInForce ? "" : "\nThe server that is running has not taken it up yet; its log says why."),
                json: webhook.json(secret: secret))
        }

        /// Waits until the server that is running, if there is one, queues messages for the webhook.
        ///
        /// - Returns: false when it has not begun to for ten seconds.
        private func isInForce(_ id: Int64, _ accounts: AccountStore, _ folder: DataFolder) async throws -> Bool {
            for _ in 0..<200 {
                do {
                    try FileLock(path: folder.lockFile, wait: false).release()
                    return true
                } catch is FileLock.Held {
                    if FileLock.note(at: folder.lockFile) == LocalAdministration.commandNote { return true }
                }
                if try await accounts.webhooks().first(where: { $0.id == id })?.isInForce ?? true { return true }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }

        /// Refuses a host that no message would be sent to.
        ///
        /// - Returns: why it cannot be told now; nil when it can.
        private func doubt(about url: WebhookURL) async throws -> String? {
            let settings = try common.reader().settings().server.webhooks
            do {
                _ = try await WebhookAddresses(allowPrivate: settings.allowPrivateAddresses).permitted(of: url.host)
                return nil
            } catch let refusal as WebhookAddresses.Refusal {
                throw Complaint(
                    "\(refusal); if that is meant, set webhook.allowPrivateAddresses here and for the server")
            } catch let failure as HostLookup.Failure {
                return failure.description
            }
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the webhooks.")
        @Option(help: "Only those of this container.") var container: String?
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            .list(
                try await accounts.webhooks(container: container), empty: "There are no webhooks yet.",
                columns: ["ID", "CONTAINER", "ENVIRONMENT", "DEAD LETTERS", "URL"],
                row: {
                    ["\($0.id)", $0.containerName, $0.environment.rawValue, "\($0.deadLetters)", $0.url.text]
                }, json: { $0.json(secret: nil) })
        }
    }

    struct Remove: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send nothing more to a webhook, and drop what it has not had.")
        @Argument(help: "Its id, as 'cumulus webhook list' shows it.") var id: Int
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            try await accounts.removeWebhook(id: Int64(id))
            return Report("Removed webhook \(id).", json: .members(["id": .integer(Int64(id))]))
        }
    }
}

extension Webhook {
    fileprivate func json(secret: WebhookSecret?) -> JSONValue {
        .members([
            "id": .integer(id), "secret": .text(secret?.text), "container": .string(containerName),
            "environment": .string(environment.rawValue), "url": .string(url.text),
            "deadLetters": .integer(Int64(deadLetters)), "created": .date(created),
        ])
    }
}
