import ArgumentParser
import CloudOperations

extension UserCommand {
    struct SetAddress: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-address",
            abstract: "Give a user another address, or none.",
            discussion:
                "The address counts as confirmed: make sure that it is theirs. Without one, a user signs in by a provider."
        )
        static let operation = UserOperations.setAddress
        static let arguments: [InputArgument<NewAddress>] = [.argument(\.email), .argument(\.address)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ account: UserInfo) -> Report {
            Report(
                account.email.map { "User \(account.id) has the address \($0)." }
                    ?? "User \(account.id) has no address.", answer: account)
        }
    }
}
