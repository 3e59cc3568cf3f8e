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
