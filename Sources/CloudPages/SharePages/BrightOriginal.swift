import CloudAssets
import CloudMedia
import CloudModel
import CloudStore

extension OfferedFile {
    /// The largest original that a page shows, in bytes.
    private static let mostShown: Int64 = 20_000_000

    /// The kind of image that the original of a picture with a gain map is, such as `jpeg`; nil for other files, and where
    /// pages do not show it.
    ///
    /// Browsers show it brighter on screens of high range. Previews have no gain map.
    var brightOriginal: String? {
        guard case .gainMap? = file.facts?.hdr, file.isPicture, file.asset.size <= Self.mostShown,
            download == .original
        else { return nil }
        switch file.asset.contentType {
        case "image/jpeg": return "jpeg"
        case "image/heic": return "heic"
        case "image/avif": return "avif"
        default: return nil
        }
    }
}
