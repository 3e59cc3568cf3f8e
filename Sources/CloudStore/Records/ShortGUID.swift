/// The public handle of a record that can be shared: 25 letters and digits, as the original's (reference B §9.2).
enum ShortGUID {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// 142 bits from the system's generator, so it can be found by nobody who was not told.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return "0" + String((0..<24).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
    }
}
