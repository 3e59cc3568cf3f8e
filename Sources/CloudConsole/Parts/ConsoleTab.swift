import CloudPages

/// A tab that links to a related page.
struct ConsoleTab: PageView {
    let label: String
    let address: String
    let isCurrent: Bool
}

/// A named value.
struct Fact: PageView {
    let title: String
    let value: String
}
