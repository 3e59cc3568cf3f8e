import HTTPTypes

extension HTTPFields {
    // A constant that is a token, which is all the initialiser asks for.
    private static let live = HTTPField.Name("X-Cumulus-Live")!

    /// Whether a page that keeps itself up to date has asked, and nobody who looks at it.
    var isLive: Bool { self[Self.live] != nil }
}
