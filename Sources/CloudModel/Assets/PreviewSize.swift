/// The sizes previews of pictures come in.
package enum PreviewSize: String, CaseIterable, Hashable, Sendable {
    case small, medium, large

    /// Pixels of the longer side at most; smaller pictures are not enlarged.
    package var longestSide: Int {
        switch self {
        case .small: 320
        case .medium: 800
        case .large: 2048
        }
    }
}
