/// Sizes of picture previews. None enlarges a picture.
package enum PreviewSize: String, CaseIterable, Hashable, Sendable {
    /// A square from the middle, for grids.
    case tile
    /// The whole picture.
    case small, medium, large
    /// The part that draws the eye, for link previews in messengers.
    case cover

    /// The largest width and height in pixels.
    package var bounds: ImageSize {
        switch self {
        case .tile: ImageSize(width: 400, height: 400)
        case .small: ImageSize(width: 320, height: 320)
        case .medium: ImageSize(width: 1024, height: 1024)
        case .large: ImageSize(width: 2048, height: 2048)
        case .cover: ImageSize(width: 1200, height: 630)
        }
    }

    /// True if the preview is cut from the picture.
    package var isCut: Bool { self == .tile || self == .cover }

    /// The largest number of bytes; nil for no limit. Messengers ignore larger pictures.
    package var mostBytes: Int64? { self == .cover ? 300_000 : nil }

    /// The pixel size of a picture's preview.
    package func size(of picture: ImageSize) -> ImageSize {
        if isCut {
            return ImageSize(width: min(picture.width, bounds.width), height: min(picture.height, bounds.height))
        }
        let longest = max(picture.width, picture.height, 1)
        let side = min(bounds.width, longest)
        return ImageSize(
            width: max(1, picture.width * side / longest), height: max(1, picture.height * side / longest))
    }
}
