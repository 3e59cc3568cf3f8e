import CloudPages
import CloudModel

/// Sample code in one language that reads and writes records of a type. The parts run in sequence, and can be run
/// repeatedly.
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

    /// The server's origin as seen by the browser.
    let origin: String
    let spot: DataSpot
    let type: String
    let definition: TypeDefinition
    /// The API token; nil shows a placeholder name.
    let apiToken: String?

    /// The name of the sample record.
    static let recordName = "example"
    /// The most sample fields.
    private static let mostFields = 6

    func parts(_ language: Language) -> [Part] {
        switch language {
        case .curl: CurlPreview(preview: self).parts
        case .javascript: JavaScriptPreview(preview: self).parts
        case .swift: SwiftPreview(preview: self).parts
        }
    }

    /// The first writable fields, followed by the query's field if it is not among them. Assets need an upload first,
    /// and public records have no encrypted fields.
    var fields: [(name: String, type: FieldType)] {
        let all = definition.fields.sorted { $0.key < $1.key }.map { (name: $0.key, type: $0.value.type) }
        let first = all.filter { $0.type.kind != .asset && !$0.type.isEncrypted }.prefix(Self.mostFields)
        guard let filter, !first.contains(where: { $0.name == filter.name }) else { return Array(first) }
        return first + [filter]
    }

    /// The sample query's field, for a type whose records production cannot list without a filter.
    var filter: (name: String, type: FieldType)? {
        guard definition.implicit[.recordID]?.contains(.queryable) != true else { return nil }
        return definition.fields.sorted { $0.key < $1.key }
            .first { $0.value.indexes.contains(.queryable) && !$0.value.type.isList && $0.value.type.kind == .string }
            .map { ($0.key, $0.value.type) }
    }

    /// A JSON literal, which is also valid JavaScript and Swift.
    static func literal(_ text: String) -> String { WireText.json(.string(text)) }
}

extension DataSpot {
    /// The zone's name; nil for the default zone.
    var customZone: String? { zone == ZoneID.defaultName ? nil : zone }
}
