import CloudModel
import Foundation

/// The types made from record types, line by line without indentation.
enum TypesText {
    static func lines(_ schema: String, _ language: SchemaTypes.Language) throws -> [String] {
        let schema = try SchemaParser.parse("DEFINE SCHEMA \(schema)")
        return SchemaTypes.text(schema, in: language, madeBy: "cumulus").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
