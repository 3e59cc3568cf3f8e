/// Generates a struct for each record type, wrapping the Swift client's `CKRecord`.
struct SwiftTypes {
    private let schema: SchemaDefinition
    private let names: LanguageNames

    init(_ schema: SchemaDefinition) {
        self.schema = schema
        names = LanguageNames(schema.types.keys, taken: Self.keywords.union(Self.used), suffix: "Record")
    }

    var text: String {
        let types = schema.types.sorted { LanguageNames.precedes($0.key, $1.key) }.map(structure)
        return """
            // swift-format-ignore-file
            import CumulusKit
            import Foundation

            \(types.joined(separator: "\n"))
            """
    }

    private func structure(_ name: String, _ type: TypeDefinition) -> String {
        let fields = LanguageNames(type.fields.keys, taken: ["record", "Self"], suffix: "Field")
        let properties = type.fields.sorted { LanguageNames.precedes($0.key, $1.key) }.map { key, field in
            let property = Self.keywords.contains(fields[key]) ? "`\(fields[key])`" : fields[key]
            let value = "record\(field.type.isEncrypted ? ".encryptedValues" : "")[\"\(key)\"]"
            return """

                    var \(property): \(Self.value(field.type))? {
                        get { \(value) }
                        nonmutating set { \(value) = newValue }
                    }

                """
        }
        return """
            /// A record of type `\(name)`.
            struct \(names[name]) {
                static let recordType: CKRecord.RecordType = "\(name)"
                let record: CKRecord
            \(SchemaDefinition.builtInTypes.contains(name) ? "" : Self.creation)
                /// Nil for a record of another type.
                init?(_ record: CKRecord) {
                    guard record.recordType == Self.recordType else { return nil }
                    self.record = record
                }
            \(properties.joined())}

            """
    }

    /// An initializer for new records. Types whose records come from the server or `CKShare` have none.
    private static let creation = """

            /// A new record.
            init(recordID: CKRecord.ID = CKRecord.ID()) {
                record = CKRecord(recordType: Self.recordType, recordID: recordID)
            }

        """

    private static func value(_ type: FieldType) -> String {
        let value =
            switch type.kind {
            case .string: "String"
            case .int64: "Int64"
            case .double, .number: "Double"
            case .timestamp: "Date"
            case .bytes: "Data"
            case .location: "CKLocation"
            case .reference: "CKRecord.Reference"
            case .asset: "CKAsset"
            }
        return type.isList ? "[\(value)]" : value
    }

    private static let used: Set<String> = [
        "CKAsset", "CKLocation", "CKRecord", "Data", "Date", "Double", "Int64", "String",
    ]

    /// Reserved words: properties need backticks, and types cannot use them.
    private static let keywords = Set(
        """
        Any Protocol Self Type as associatedtype break case catch class continue default defer deinit do else enum \
        extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
        precedencegroup private protocol public repeat rethrows return self static struct subscript super switch throw \
        throws true try typealias var where while
        """.split(separator: " ").map(String.init))
}
