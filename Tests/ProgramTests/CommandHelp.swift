import ArgumentParser

@testable import cumulus

/// The help of a command, as the program prints it. A start of the program for each would take ten times as long.
struct CommandHelp {
    static let all = list(below: Cumulus.self, [], isListed: true)
    /// Those that help lists.
    static let listed = all.filter(\.isListed)

    /// The words of the command after `cumulus`.
    let path: [String]
    let help: String
    /// False for a group of commands.
    let isLast: Bool
    let isListed: Bool
    /// True if the source says the last word, which the parser makes of the type's name otherwise, at each start of the program
    /// for all commands.
    let isNamed: Bool

    /// The command that words call, which values may follow.
    static func called(by words: [String]) -> CommandHelp? {
        all.filter { words.starts(with: $0.path) && ($0.isLast || $0.path == words) }.max {
            $0.path.count < $1.path.count
        }
    }

    private static func list(
        below command: any ParsableCommand.Type, _ path: [String], isListed: Bool
    ) -> [CommandHelp] {
        let inner = command.configuration.subcommands
        let help = Cumulus.narrowed(Cumulus.helpMessage(for: command, columns: Table.widest))
        let own = CommandHelp(
            path: path, help: help, isLast: inner.isEmpty, isListed: isListed,
            isNamed: command.configuration.commandName != nil)
        return [own]
            + inner.flatMap {
                list(
                    below: $0, path + [$0._commandName], isListed: isListed && $0.configuration.shouldDisplay)
            }
    }
}
