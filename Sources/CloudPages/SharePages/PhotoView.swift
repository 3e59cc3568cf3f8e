import Mustache

/// A picture or video in the grid of a page, with URLs and pixel sizes of its previews.
struct PhotoView: PageView, MustacheParent {
    let mark: String
    let name: String
    let caption: String?
    let tile: String
    let tileWidth: String
    let tileHeight: String
    let medium: String
    let mediumWidth: String
    let large: String
    let largeWidth: String
    let largeHeight: String
    /// Pixels of the original picture; empty if unknown.
    let width: String
    let height: String
    /// The class of the color that holds its place; nil if unknown.
    let color: String?
    /// The playback URL of a video; nil for a picture.
    var video: String?
    /// The length of a video; nil if unknown.
    var length: String?
    /// True for the first tile of the page.
    let isFirst: Bool
    /// True for tiles in the first rows.
    let isEager: Bool
    /// The movie of a Live Photo or motion photo; nil for other pictures.
    var live: String?
    /// The kind of the original, such as `jpeg`, where the viewer shows it on screens of high range; nil for other pictures.
    var hdr: String?
    /// The day, for the first picture under its heading; nil for others.
    var day: String?
    /// The file's place among all files of this part of the page, from 0.
    let place: String
    let download: String?
    let canChoose: Bool
    /// True if the owner chose this picture for others.
    let isChosen: Bool
    /// True if hidden from other visitors.
    let isKept: Bool

    var shown: Any? { self }

    func child(named name: String) -> Any? {
        switch name {
        case "mark": mark
        case "name": self.name
        case "caption": caption
        case "tile": tile
        case "tileWidth": tileWidth
        case "tileHeight": tileHeight
        case "medium": medium
        case "mediumWidth": mediumWidth
        case "large": large
        case "largeWidth": largeWidth
        case "largeHeight": largeHeight
        case "width": width
        case "height": height
        case "color": color
        case "isFirst": isFirst
        case "isEager": isEager
        case "place": place
        case "day": day
        case "live": live
        case "video": video
        case "length": length
        case "hdr": hdr
        case "download": download
        case "canChoose": canChoose
        case "isChosen": isChosen
        case "isKept": isKept
        default: nil
        }
    }
}

/// A video, a sound or a download.
package struct FileView: PageView {
    package let mark: String
    package let name: String
    package let size: String
    /// The playback URL; nil for other files.
    let video: String?
    let sound: String?
    /// The length of a video.
    let length: String?
    /// Pixels of a video; nil if unknown.
    let width: String?
    let height: String?
    /// The URL of a video's picture; nil without one.
    let poster: String?
    let caption: String?
    /// The file's place among all files of this part of the page, from 0.
    let place: String
    package let download: String?
    let canChoose: Bool
    package let isChosen: Bool
    let isKept: Bool
}
