/// The largest pictures that previews are made of.
///
/// The limit is for pictures that are decoded whole. A baseline JPEG is shrunk while it is read, in memory that hardly
/// depends on its size. A progressive JPEG keeps 3 bytes for a pixel.
struct PictureLimits: Sendable {
    enum Verdict: Hashable {
        case good, tooLarge
        /// Good if the picture is a baseline JPEG.
        case ifBaseline
    }

    /// Pixels of a picture that is decoded whole.
    let mostPixels: Int

    /// Pixels of a progressive JPEG.
    private var mostProgressive: Int { mostPixels / 2 * 3 }
    /// Pixels of a baseline JPEG.
    private var mostBaseline: Int { mostPixels * 5 }

    /// - Parameter type: the picture's media type.
    func verdict(_ pixels: Int, type: String) -> Verdict {
        if pixels <= mostPixels { return .good }
        guard type == "image/jpeg", pixels <= mostBaseline else { return .tooLarge }
        return pixels <= mostProgressive ? .good : .ifBaseline
    }
}
