import CloudModel

/// Names files are saved under: none that a file system, a shell or a reader's eye could trip over.
struct FileNames {
    private static let longest = 120
    private static let refused = Set("<>:\"/\\|?*".unicodeScalars)
    /// Names of devices on Windows, with any extension.
    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    private var taken: Set<String> = []

    /// A name nobody has had before, in any spelling of upper and lower case, for a file of this media type.
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

    /// The text as the name of a file of this media type: with one ending, which is the type's.
    ///
    /// - Parameter mark: what is put before the ending, to tell files of one name apart.
    static func name(_ text: String, type: String, mark: String? = nil) -> String {
        let (stem, ending) = parts(text, type: type)
        return stem + (mark.map { " " + $0 } ?? "") + ending
    }

    /// An ending that the text has already stays as it is spelled; that of a picture, sound or video of another kind
    /// gives way: what was a HEIC may have become a JPEG.
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

    /// The text as a file's name without its extension; `file` when nothing of it is left.
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

    /// Control and format characters can hide or turn around what is read, so they are left out.
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
