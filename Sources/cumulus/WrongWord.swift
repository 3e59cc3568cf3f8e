import ArgumentParser

/// An unknown command word, and suggested commands.
struct WrongWord {
    let word: String
    /// The command before the word, such as `cumulus schema`.
    let parent: String
    /// Suggested full commands, the likeliest first.
    let meant: [String]

    /// Finds the first unknown command name among the arguments; nil if all names are known.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var path = [root.word]
        for word in arguments {
            let inner = command.configuration.subcommands
            guard !inner.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let index = inner.firstIndex(where: { $0.words.contains(word) }) {
                command = inner[index]
                path.append(command.word)
                continue
            }
            self.word = word
            parent = path.joined(separator: " ")
            meant = Self.meant(by: word, in: command, path, root)
            return
        }
        return nil
    }

    var text: String {
        let hint = meant.isEmpty ? "" : " Did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?"
        return """
            Error: '\(word)' is no command of '\(parent)'.\(hint)
              See '\(parent) --help' for its commands.
            """
    }

    /// Command words of other programs, grouped with this program's equivalents.
    private static let synonyms: [Set<String>] = [
        ["serve", "start", "run", "server", "up"], ["create", "new", "add", "make"], ["list", "ls", "show"],
        ["delete", "remove", "rm", "revoke", "stop"], ["user", "account"], ["operator", "admin"],
        ["settings", "config"],
        ["get", "show", "read"], ["update", "set", "edit", "change"], ["check", "verify"],
        ["health", "status", "ping"],
    ]

    private static func meant(
        by word: String, in command: any ParsableCommand.Type, _ path: [String], _ root: any ParsableCommand.Type
    ) -> [String] {
        var known: [String] = []
        for inner in command.configuration.subcommands where inner.configuration.shouldDisplay { known += inner.words }
        let group = synonyms.filter { $0.contains(word.lowercased()) }
        if let synonym = known.first(where: { name in group.contains { $0.contains(name) } }) {
            return [(path + [synonym]).joined(separator: " ")]
        }
        // Subcommands of other commands: 'cumulus deploy' for 'cumulus schema deploy'.
        var elsewhere: [String] = []
        for parent in root.configuration.subcommands {
            for inner in parent.configuration.subcommands where inner.words.contains(word) {
                elsewhere.append("\(root.word) \(parent.word) \(word)")
            }
        }
        if (1...3).contains(elsewhere.count) { return elsewhere }
        guard let nearest = Spelling.nearest(to: word, among: known) else { return [] }
        return [(path + [nearest]).joined(separator: " ")]
    }
}

extension ParsableCommand {
    /// The command's name, as typed.
    fileprivate static var word: String { configuration.commandName ?? Self.hyphenated("\(Self.self)") }
    fileprivate static var words: [String] { [word] + configuration.aliases }

    private static func hyphenated(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            if letter.isUppercase, !words.isEmpty { words += "-" }
            words += letter.lowercased()
        }
    }
}
