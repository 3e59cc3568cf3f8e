/// A command of the program that a page shows.
struct ShownCommand {
    /// The words that lead to the command, such as `["schema", "export"]`.
    let words: [String]
    let options: Set<String>

    /// The commands that a line calls: several where a word has alternatives, `create|list`.
    static func all(in line: some StringProtocol) -> [ShownCommand] {
        String(line).split(separator: /\s(?:\|\|?|&&|;)\s/).flatMap { call -> [ShownCommand] in
            guard let arguments = call.firstMatch(of: /(?:^|[\s(])cumulus (?!cumulus)(.+)/)?.output.1 else { return [] }
            let names = arguments.split(separator: " ")
                .prefix { !$0.hasPrefix("-") && $0.wholeMatch(of: /[a-z-]+(?:[\/|][a-z-]+)*/) != nil }
            if names.isEmpty { return [] }
            let calls = names.reduce([[]]) { calls, name in
                calls.flatMap { call in name.split { $0 == "/" || $0 == "|" }.map { call + [String($0)] } }
            }
            return calls.map { ShownCommand(words: $0, options: options(in: arguments)) }
        }
    }

    /// The long options that a text names.
    static func options(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /(?:^|[\s`])(--[a-z-]+)/).map { String($0.output.1) })
    }
}
