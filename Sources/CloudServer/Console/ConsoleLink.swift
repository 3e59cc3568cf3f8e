import Hummingbird

/// A link that looks like a button.
struct ConsoleLink: PageView {
    let label: String
    let address: String
    /// Whether it leads to a page that takes something away.
    var isDanger = false
}

extension ConsoleLink {
    /// The way on from a page of the console that cannot be shown; nil from another page.
    static func toConsole(from request: Request) -> ConsoleLink? {
        request.uri.path.hasPrefix("/console/") ? ConsoleLink(label: "To the console", address: "/console") : nil
    }
}

/// A page among others about the same.
struct ConsoleTab: PageView {
    let label: String
    let address: String
    let isCurrent: Bool
}

/// A value under its name.
struct Fact: PageView {
    let title: String
    let value: String
}
