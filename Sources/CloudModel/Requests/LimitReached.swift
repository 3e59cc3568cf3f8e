/// An exceeded limit.
package struct LimitReached: Hashable, Sendable {
    package let most: Int64
    /// The setting that sets the limit; nil for limits fixed by the protocol or the server.
    package let setting: String?

    package init(_ most: some FixedWidthInteger, _ setting: StaticString? = nil) {
        self.most = Int64(clamping: most)
        self.setting = setting.map { "\($0)" }
    }

    package var text: String { "at most \(most)" + (setting.map { " (\($0))" } ?? "") }
}

extension Cause {
    package static func limit(_ most: some FixedWidthInteger, _ setting: StaticString? = nil) -> Cause {
        .limit(LimitReached(most, setting))
    }
}
