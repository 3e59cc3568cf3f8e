import CloudModel
import Foundation

/// Schema text from a file or standard input, and generated files.
struct SchemaFile {
    /// `-` is standard input.
    let path: String

    /// The file's name in messages.
    var name: String { path == "-" ? "standard input" : path }

    struct Content {
        let text: String
        let schema: SchemaDefinition

        /// Remarks on types without permissions and marks without use; empty without remarks.
        var remark: String { grantRemark + markRemark }

        private var grantRemark: String {
            let names = schema.types.filter { name, type in
                type.grants.permissions.isEmpty && !SchemaDefinition.builtInTypes.contains(name)
            }.keys.sorted()
            guard !names.isEmpty else { return "" }
            return "\nNo GRANT, so nobody may read or write them in the public database: "
                + names.joined(separator: ", ")
        }

        private static let mostNamed = 5

        private var markRemark: String {
            let fields = schema.types.sorted { $0.key < $1.key }.flatMap { name, type in
                type.fields.sorted { $0.key < $1.key }
                    .filter { !$0.value.indexes.isSubset(of: IndexKind.useful(for: $0.value.type)) }
                    .map { "\(name).\($0.key) \($0.value.text)" }
            }
            guard !fields.isEmpty else { return "" }
            let rest = fields.count > Self.mostNamed ? " and \(fields.count - Self.mostNamed) more" : ""
            return "\nKept, though queries make no use of these marks: "
                + fields.prefix(Self.mostNamed).joined(separator: ", ") + rest
        }
    }

    /// The file's text and its parsed schema.
    ///
    /// - Throws: ``Complaint`` that begins with file, line and column, in the form that editors recognize.
    func content() throws -> Content {
        let data =
            path == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data else { throw Complaint("cannot read \(path)") }
        guard let text = String(validating: data, as: UTF8.self) else { throw Complaint("\(name) is not UTF-8") }
        do { return Content(text: text, schema: try SchemaParser.parse(text)) } catch {
            throw Complaint("\(name):\(error.line):\(error.column): \(error.reason)")
        }
    }

    /// Writes a file atomically.
    ///
    /// - Throws: ``Complaint`` with the file's name.
    static func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Complaint("cannot write \(path): \(error.localizedDescription)")
        }
    }
}
