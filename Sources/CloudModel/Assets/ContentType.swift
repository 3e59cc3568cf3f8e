/// The type of contents, determined by their first bytes and never by the sender's claim.
package enum ContentType {
    /// The type of unknown contents, and of contents that a browser might execute.
    package static let unknown = "application/octet-stream"
    private static let text = "text/plain; charset=utf-8"

    /// The number of initial bytes that ``sniff(_:)`` examines.
    package static let prefix = 4096

    /// The media type of contents with this beginning. All markup is `unknown`.
    package static func sniff(_ head: some Collection<UInt8>) -> String {
        let head = Array(head.prefix(prefix))
        for (offset, signature, type) in signatures where starts(head.dropFirst(offset), signature) { return type }
        if starts(head[...], "RIFF") { return riff(head) }
        if starts(head.dropFirst(4), "ftyp") { return isoMedia(head) }
        return isPlainText(head) ? text : unknown
    }

    /// Returns true if browsers may show files of this type inline. Other files are downloaded.
    package static func isShownInPlace(_ type: String) -> Bool {
        ["image/", "video/", "audio/"].contains { type.hasPrefix($0) } || type == text
    }

    /// Returns true if browsers play files of this type.
    package static func isPlayed(_ type: String) -> Bool { isVideo(type) || type.hasPrefix("audio/") }

    package static func isVideo(_ type: String) -> Bool { type.hasPrefix("video/") }

    /// Returns true if the server makes previews of files of this type.
    package static func hasPreview(_ type: String) -> Bool {
        ["image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif"].contains(type)
    }

    /// The usual file name extension, including the dot.
    package static func fileExtension(_ type: String) -> String {
        switch type {
        case "image/jpeg": ".jpg"
        case "video/quicktime": ".mov"
        case "audio/mpeg": ".mp3"
        case "audio/mp4": ".m4a"
        case text: ".txt"
        case unknown: ""
        default: "." + type.drop { $0 != "/" }.dropFirst()
        }
    }

    /// Valid file name extensions, without the dot, for this type: many document formats are zip files, and text has many
    /// languages.
    package static func usualEndings(_ type: String) -> Set<String> {
        let own = String(fileExtension(type).dropFirst())
        return (otherEndings[type] ?? []).union(own.isEmpty ? [] : [own])
    }

    private static let otherEndings: [String: Set<String>] = [
        "image/jpeg": ["jpeg", "jpe", "jfif"],
        "image/heic": ["heif", "hif"],
        "video/mp4": ["m4v"],
        "video/quicktime": ["qt"],
        "video/webm": ["mkv"],
        "audio/ogg": ["oga", "opus"],
        "application/zip": [
            "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "pages", "numbers", "key", "cbz", "usdz",
        ],
        text: ["csv", "tsv", "md", "json", "log", "ics", "vcf", "yaml", "yml", "tex", "srt"],
    ]

    private static let signatures: [(Int, String, String)] = [
        (0, "\u{FF}\u{D8}\u{FF}", "image/jpeg"),
        (0, "\u{89}PNG\r\n\u{1A}\n", "image/png"),
        (0, "GIF87a", "image/gif"),
        (0, "GIF89a", "image/gif"),
        (0, "%PDF-", "application/pdf"),
        (0, "PK\u{3}\u{4}", "application/zip"),
        (0, "\u{1A}\u{45}\u{DF}\u{A3}", "video/webm"),
        (0, "ID3", "audio/mpeg"),
        (0, "OggS", "audio/ogg"),
        (0, "fLaC", "audio/flac"),
    ]

    private static func riff(_ head: [UInt8]) -> String {
        if starts(head.dropFirst(8), "WEBP") { return "image/webp" }
        return starts(head.dropFirst(8), "WAVE") ? "audio/wav" : unknown
    }

    private static func isoMedia(_ head: [UInt8]) -> String {
        switch String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self) {
        case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1": "image/heic"
        case "avif", "avis": "image/avif"
        case "qt  ": "video/quicktime"
        case "M4A ", "M4B ": "audio/mp4"
        // Raw files of Canon.
        case "crx ": unknown
        default: "video/mp4"
        }
    }

    /// True for text without control characters or leading markup. Ignores a truncated character at the end.
    private static func isPlainText(_ head: [UInt8]) -> Bool {
        guard let first = head.first(where: { $0 > 0x20 }), first != UInt8(ascii: "<"), first < 0xEF else {
            return false
        }
        guard !head.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) || $0 == 0x7F }) else {
            return false
        }
        let mostCutOff = head.count < prefix ? 0 : 3
        let isText = (0...mostCutOff).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
        return isText && !["<html", "<script", "<svg"].contains { contains(head, $0) }
    }

    private static func contains(_ head: [UInt8], _ text: String) -> Bool {
        String(decoding: head, as: UTF8.self).lowercased().contains(text)
    }

    /// - Parameter signature: scalars that stand for bytes of equal value.
    private static func starts(_ head: ArraySlice<UInt8>, _ signature: String) -> Bool {
        head.starts(with: signature.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
}
