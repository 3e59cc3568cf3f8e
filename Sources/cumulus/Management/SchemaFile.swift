import CloudModel
import Foundation

/// Schema text from a file or from standard input.
struct SchemaFile {
    /// `-` is standard input.
    let path: String

    private var name: String { path == "-" ? "standard input" : path }

    /// The text, which is a schema.
    ///
    /// - Throws: a complaint that begins with file, line and column, as editors understand it.
    func text() throws -> String {
        let data =
            path == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data else { throw Complaint("cannot read \(path)") }
        guard let text = String(validating: data, as: UTF8.self) else { throw Complaint("\(name) is not UTF-8") }
        do { _ = try SchemaParser.parse(text) } catch {
            throw Complaint("\(name):\(error.line):\(error.column): \(error.reason)")
        }
        return text
    }
}
