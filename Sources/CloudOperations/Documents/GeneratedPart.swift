/// A generated part of a file, between two marker lines.
package struct GeneratedPart {
    package let name: String
    package let lines: [String]

    package init(_ name: String, _ lines: [String]) {
        self.name = name
        self.lines = lines
    }

    /// The file's text with this part.
    ///
    /// - Returns: nil for a file without the part's markers: lines that contain `BEGIN generated: NAME` and
    ///   `END generated: NAME`.
    package func replaced(in text: String) -> String? {
        var all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let begin = all.firstIndex(where: { $0.contains("BEGIN generated: \(name)") }),
            let end = all[begin...].firstIndex(where: { $0.contains("END generated: \(name)") })
        else { return nil }
        all.replaceSubrange(begin + 1..<end, with: lines)
        return all.joined(separator: "\n")
    }
}

extension GeneratedPart {
    /// The parts of openapi.yaml.
    package static func ofContract() throws -> [GeneratedPart] {
        let document = try AdminDocument()
        return [GeneratedPart("admin paths", document.paths), GeneratedPart("admin schemas", document.schemas)]
    }
}
