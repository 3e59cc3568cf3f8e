import Mustache

/// A picture of a page, with the addresses and pixels of its previews.
struct PhotoView: PageView, MustacheParent {
    let mark: String
    let name: String
    let caption: String?
    let small: String
    let smallWidth: String
    let smallHeight: String
    let medium: String
    let mediumWidth: String
    let large: String
    let largeWidth: String
    let largeHeight: String
    /// Pixels of the picture itself; empty when they are not known.
    let width: String
    let height: String
    let download: String?
    let canChoose: Bool
    /// Whether the owner chose it, of several.
    let isChosen: Bool
    /// Whether others are not shown it.
    let isKept: Bool

    var shown: Any? { self }

    func child(named name: String) -> Any? {
        switch name {
        case "mark": mark
        case "name": self.name
        case "caption": caption
        case "small": small
        case "smallWidth": smallWidth
        case "smallHeight": smallHeight
        case "medium": medium
        case "mediumWidth": mediumWidth
        case "large": large
        case "largeWidth": largeWidth
        case "largeHeight": largeHeight
        case "width": width
        case "height": height
        case "download": download
        case "canChoose": canChoose
        case "isChosen": isChosen
        case "isKept": isKept
        default: nil
        }
    }
}

/// A video, a sound, or a file that is only there to be downloaded.
struct FileView: PageView {
    let mark: String
    let name: String
    let size: String
    /// The address to play it from; nil for other files.
    let video: String?
    let sound: String?
    let download: String?
    let canChoose: Bool
    let isChosen: Bool
    let isKept: Bool
}
