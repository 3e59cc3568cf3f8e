/// How ffmpeg makes a film: H.264 and AAC, of at most 1,920 × 1,080 pixels upright or not, without metadata.
enum FilmRecipe {
    /// The bits of a second in the mean, and those that are sent ahead; the first is a bound on a film's bytes.
    private static let (rate, buffer) = ("5M", "10M")
    /// Threads of the decoder and of the encoder, each.
    private static let threads = 2

    /// The video filters, in order. ffmpeg turns a picture upright before the first filter.
    ///
    /// - Parameter mapping: how the tones of a video for bright screens are mapped; nil for other videos.
    private static func filters(_ mapping: ToneMapping?) -> [String] {
        let width = "if(gte(iw,ih),min(1920,iw),min(1080,iw))"
        let height = "if(gte(iw,ih),min(1080,ih),min(1920,ih))"
        return [
            "scale=w='\(width)':h='\(height)':force_original_aspect_ratio=decrease:force_divisible_by=2",
            mapping?.filter(from: .video, to: .video), "format=yuv420p",
        ].compactMap(\.self)
    }

    /// Arguments with which a video on the standard input becomes fragments of a film on the standard output.
    ///
    /// - Parameter seconds: the length of the video; a longer one is cut, as its index has room for no more.
    static func arguments(_ reader: String, seconds: Int, _ mapping: ToneMapping?) -> [String] {
        VideoInput.arguments(reader, threads: threads) + [
            "-map", "0:V:0", "-map", "0:a:0?", "-map_metadata", "-1", "-map_chapters", "-1", "-t", String(seconds + 1),
            "-fpsmax", "60", "-vf", filters(mapping).joined(separator: ","),
        ] + encoding
    }

    /// Arguments with which nothing becomes a film of a moment.
    static let trial =
        [
            "-nostdin", "-v", "quiet", "-f", "lavfi", "-i", "color=size=64x64:duration=0.2", "-f", "lavfi", "-i",
            "anullsrc", "-t", "0.2",
        ] + encoding

    private static let encoding = [
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-maxrate", rate, "-bufsize", buffer, "-g", "60",
        "-threads", String(threads), "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000", "-movflags",
        "empty_moov+default_base_moof+frag_keyframe+skip_trailer+skip_sidx", "-f", "mp4", "pipe:1",
    ]
}
