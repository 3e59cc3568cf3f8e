import CloudMedia

/// How pictures and videos for bright screens become ones for every screen, in words of ffmpeg.
///
/// Diffuse white of 203 cd/m² (ITU-R BT.2408) becomes white; what is brighter is compressed. docs/decisions/share-pages.md
/// has the reasons.
enum ToneMapping: String, Hashable, Sendable {
    /// ffmpeg's names of the transfers.
    case pq = "smpte2084"
    case hlg = "arib-std-b67"

    /// Nil for pictures that are for every screen.
    init?(_ kind: HDRKind) {
        switch kind {
        case .pq: self = .pq
        case .hlg: self = .hlg
        case .standard, .gainMap: return nil
        }
    }

    /// The colors of the frames that are to be changed.
    enum Source: Hashable, Sendable {
        /// As the video says.
        case video
        /// Red, green and blue of BT.2020, as libvips reads pictures.
        case pixels
    }

    /// The colors of the changed frames.
    enum Target: Hashable, Sendable {
        /// sRGB, for a JPEG.
        case picture
        /// BT.709, for a video. Width and height must be even.
        case video
    }

    /// A filter for ffmpeg, to stand after those that shrink.
    func filter(from source: Source, to target: Target) -> String {
        let colors =
            source == .pixels ? ":color_primaries=bt2020:colorspace=gbr:range=pc" : ""
        let end =
            target == .picture
            ? "zscale=t=iec61966-2-1,format=gbrp" : "zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
        return "setparams=color_trc=\(rawValue)\(colors),zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,"
            + "tonemap=mobius:desat=0,\(end)"
    }
}
