import ArgumentParser
import CloudModel
import CloudStore

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Create, list, confirm, disable and enable users and set their passwords.",
        subcommands: [Create.self, List.self, Confirm.self, Disable.self, Enable.self, SetPassword.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Create a user.")
        static let makesFolder = true
        @Argument(help: "The email address.") var email: String
        @Option(help: "Given name.") var givenName: String?
        @Option(help: "Family name.") var familyName: String?
        @Option(help: "Phone number, such as +15555550100.") var phone: String?
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let account = try await accounts.createUserAccount(
                email: email, givenName: givenName, familyName: familyName, phone: phone)
            return Report(
                "Created user \(account.email).", remark: "Next: cumulus user set-password \(account.email)",
                json: account.json)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the users.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            .list(
                try await accounts.userAccounts(), empty: "There are no users yet.",
                columns: ["EMAIL", "NAME", "PHONE", "PASSWORD", "STATE"],
                row: {
                    [
                        $0.email, [$0.givenName, $0.familyName].compactMap(\.self).joined(separator: " "),
                        $0.phone ?? "", $0.hasPassword ? "set" : "none",
                        $0.disabled ? "disabled" : $0.emailVerified ? "active" : "unverified",
                    ]
                }, json: \.json)
        }
    }

    struct Confirm: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a user's address for confirmed.",
            discussion: "For somebody who registered and got no code. Make sure that the address is theirs.")
        @Argument(help: "The email address.") var email: String
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let account = try await accounts.confirmAddress(email: email)
            return Report("Confirmed the address of \(account.email).", json: account.json)
        }
    }

    struct Disable: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Disable a user and end all their sessions.")
        @Argument(help: "The email address.") var email: String
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let account = try await accounts.setDisabled(true, email: email)
            return Report("Disabled user \(account.email).", json: account.json)
        }
    }

    struct Enable: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Enable a disabled user again.")
        @Argument(help: "The email address.") var email: String
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let account = try await accounts.setDisabled(false, email: email)
            return Report("Enabled user \(account.email).", json: account.json)
        }
    }

    struct SetPassword: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a user's password, asked for on the terminal or read from standard input.",
            discussion: "It signs the user out everywhere: of browsers and of apps.")
        @Argument(help: "The email address.") var email: String
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            guard try await accounts.userAccount(email: email) != nil else {
                throw Complaint("there is no user '\(email)'; 'cumulus user create' makes one")
            }
            let account = try await accounts.setPassword(try Terminal.newPassword(), email: email)
            return Report("Set the password of \(account.email).", json: account.json)
        }
    }
}

extension UserAccount {
    fileprivate var json: JSONValue {
        .members([
            "email": .string(email), "emailVerified": .bool(emailVerified), "givenName": .text(givenName),
            "familyName": .text(familyName), "phone": .text(phone), "hasPassword": .bool(hasPassword),
            "disabled": .bool(disabled), "created": .date(created),
        ])
    }
}
