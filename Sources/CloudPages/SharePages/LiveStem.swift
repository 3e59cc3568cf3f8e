import CloudAssets
import CloudModel

/// What the halves of a Live Photo have in common when they came as two records: the name of the file without its ending, the
/// type and the creator of the record.
struct LiveStem: Hashable, Sendable {
    private let stem: String
    private let recordType: String
    private let creator: String

    private static let longest = 200
    private static let fields: Set<String> = ["filename", "originalfilename"]
    private static let (pictures, movies): (Set<Substring>, Set<Substring>) = (
        ["heic", "heif", "jpg", "jpeg"], ["mov", "mp4"]
    )

    /// The stem of a record with one file; nil for a record that does not name a file of its kind.
    init?(_ record: PageRecord, type: String) {
        let endings = ContentType.isVideo(type) ? Self.movies : Self.pictures
        guard let stem = Self.names(of: record).lazy.compactMap({ Self.stem($0, endings) }).first else { return nil }
        (self.stem, recordType, creator) = (stem, record.recordType, record.creator)
    }

    private static func names(of record: PageRecord) -> [String] {
        let files = record.fields.lazy.filter { fields.contains($0.name.lowercased()) }.compactMap(\.value.string)
        return [files.first, PageWords.name(of: record), record.recordName].compactMap(\.self)
    }

    private static func stem(_ name: String, _ endings: Set<Substring>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let name = name.lowercased()
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            endings.contains(name[name.index(after: dot)...])
        else { return nil }
        return String(name[..<dot])
    }
}
