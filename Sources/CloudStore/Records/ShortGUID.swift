/// The public handle of a record that can be shared: 25 letters and digits, as the original's (reference B §9.10).
struct ShortGUID: Sendable {
    static let length = 25
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// What every handle of this environment of the container begins with.
    let routingKey: String

    /// 131 bits from the system's generator, so it can be found by nobody who was not told.
    func make() -> String { routingKey + Self.random(characters: Self.length - routingKey.count) }

    /// Whether a handle leads here. One that came with records from elsewhere does not.
    func leadsHere(_ guid: String) -> Bool { guid.hasPrefix(routingKey) }

    static func random(characters: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<characters).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
    }
}
