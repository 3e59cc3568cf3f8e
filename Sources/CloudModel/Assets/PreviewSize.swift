/// Sizes of picture previews.
package enum PreviewSize: String, CaseIterable, Hashable, Sendable {
    case small, medium, large

    /// The longer side in pixels, at most; smaller pictures keep their size.
    package var longestSide: Int {
        switch self {
        case .small: 320
        case .medium: 800
        case .large: 2048
        }
    }
}
