/// The format of a file, by its first bytes. The raw values are stored.
package enum MediaKind: String, Hashable, Sendable {
    case jpeg, png, webp, gif, heic, avif, jpegXL, jpeg2000, photoshop
    /// TIFF, and the raw files of most cameras.
    case tiff
    /// Raw files with structures of their own; those of the last kind are not read.
    case fujifilm, canon, raw
    case mp4, quickTime, webM, transport
    /// Sounds in MP4.
    case mpegSound
    /// AVI videos and WAV sounds.
    case riff

    /// True for pictures in which the size is looked for.
    var tellsSize: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .heic, .avif, .jpeg2000, .photoshop, .tiff: true
        case .jpegXL, .fujifilm, .canon, .raw, .mp4, .quickTime, .webM, .transport, .mpegSound, .riff: false
        }
    }
}
