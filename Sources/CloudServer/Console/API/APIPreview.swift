import CloudModel

/// How an app reads and writes records of a type, in one language. The parts work one after the other, as often as wanted.
struct APIPreview {
    enum Language: String, CaseIterable {
        case curl, javascript, swift

        var title: String {
            switch self {
            case .curl: "curl"
            case .javascript: "JavaScript"
            case .swift: "Swift"
            }
        }
    }

    struct Part: PageView {
        let title: String
        let code: String
    }

    /// Of the server, as the browser knows it.
    let origin: String
    let spot: DataSpot
    let type: String
    let definition: TypeDefinition
    /// The API token; nil for the name of one that somebody has to put in.
    let apiToken: String?

    /// The record that the parts write and delete.
    static let recordName = "example"
    /// Fields that are written.
    private static let mostFields = 6

    func parts(_ language: Language) -> [Part] {
        switch language {
        case .curl: CurlPreview(preview: self).parts
        case .javascript: JavaScriptPreview(preview: self).parts
        case .swift: SwiftPreview(preview: self).parts
        }
    }

    /// The first fields that can be written as they are, and the one that the query is about: files are uploaded first, and public
    /// records are not encrypted.
    var fields: [(name: String, type: FieldType)] {
        let all = definition.fields.sorted { $0.key < $1.key }.map { (name: $0.key, type: $0.value.type) }
        let first = all.filter { $0.type.kind != .asset && !$0.type.isEncrypted }.prefix(Self.mostFields)
        guard let filter, !first.contains(where: { $0.name == filter.name }) else { return Array(first) }
        return first + [filter]
    }

    /// The field that the query is about, where production lets no query find all records of the type.
    var filter: (name: String, type: FieldType)? {
        guard definition.implicit[.recordID]?.contains(.queryable) != true else { return nil }
        return definition.fields.sorted { $0.key < $1.key }
            .first { $0.value.indexes.contains(.queryable) && !$0.value.type.isList && $0.value.type.kind == .string }
            .map { ($0.key, $0.value.type) }
    }

    /// A text as a literal of JSON, which JavaScript and Swift read as well.
    static func literal(_ text: String) -> String { WireText.json(.string(text)) }
}

extension DataSpot {
    /// The name of the zone where it is not the default one.
    var customZone: String? { zone == ZoneID.defaultName ? nil : zone }
}
