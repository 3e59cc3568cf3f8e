import CloudModel

/// Builds safe file names for downloads: valid on all file systems, harmless in shells and unambiguous to readers.
struct FileNames {
    private static let longest = 120
    private static let refused = Set("<>:\"/\\|?*".unicodeScalars)
    /// Device names of Windows, reserved with any extension.
    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    private var taken: Set<String> = []

    /// A file name for this media type that is unique among earlier results, ignoring case.
    mutating func unique(_ text: String, type: String) -> String {
        let (stem, ending) = Self.parts(text, type: type)
        var name = stem + ending
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(stem) (\(number))\(ending)"
            number += 1
        }
        return name
    }

    /// Builds a file name with the media type's extension.
    ///
    /// - Parameter mark: inserted before the extension, to distinguish files of the same name.
    static func name(_ text: String, type: String, mark: String? = nil) -> String {
        let (stem, ending) = parts(text, type: type)
        return stem + (mark.map { " " + $0 } ?? "") + ending
    }

    /// Splits off an extension that fits the media type, in its original spelling. Replaces other media extensions: a HEIC
    /// picture may have become a JPEG.
    private static func parts(_ text: String, type: String) -> (stem: String, ending: String) {
        let ending = ContentType.fileExtension(type)
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return (safe(text), ending) }
        let own = text[dot...]
        let word = own.dropFirst().lowercased()
        if ContentType.usualEndings(type).contains(word) { return (safe(String(text[..<dot])), String(own)) }
        guard !ending.isEmpty, mediaEndings.contains(word) else { return (safe(text), ending) }
        return (safe(String(text[..<dot])), ending)
    }

    private static let mediaEndings: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "mov", "mp4", "m4v", "webm", "mp3", "m4a", "wav",
    ]

    /// Sanitizes a text as a file name without extension; `file` if nothing remains.
    static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars {
            let length32 = UTF8.width(scalar)
            guard length + length32 <= longest else { break }
            let kept = isPlain(scalar) ? scalar : " "
            length += UTF8.width(kept)
            safe.append(kept)
        }
        let words = String(safe).split(separator: " ").joined(separator: " ")
        let trimmed = String(
            words.drop { $0 == "." || $0 == " " || $0 == "-" }.reversed().drop { $0 == "." || $0 == " " }.reversed())
        if trimmed.isEmpty { return "file" }
        return devices.contains(trimmed.prefix { $0 != "." }.lowercased()) ? "_" + trimmed : trimmed
    }

    /// Rejects control and format characters, which can hide or reverse text.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: !refused.contains(scalar)
        }
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { encode(scalar)?.count ?? 0 }
}
