package import Foundation

/// `Public`: the templates, styles and scripts of the pages, as files beside the program.
package struct PublicFolder: Sendable {
    package let url: URL

    /// No folder of pages where there has to be one; says where it was looked for.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter path: where a setting says it is; nil to look in the working folder and then beside the program.
    package init(path: String?) throws(Missing) {
        let candidates = path.map { [URL(filePath: $0)] } ?? Self.usualPlaces
        let found = candidates.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "templates/layout.mustache").path())
        }
        guard let found else {
            let places = candidates.map { "'\($0.path())'" }.joined(separator: " or ")
            throw Missing(
                description: "the page templates are not in \(places); "
                    + "CUMULUS_PUBLIC names the folder 'Public' that comes with the program")
        }
        url = found
    }

    private static var usualPlaces: [URL] {
        let working = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "Public")
        let program = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "Public")
        return [working, program].compactMap(\.self)
    }

    /// The files of one folder under it, by name, without those that are hidden.
    func files(in name: String) throws -> [(name: String, bytes: Data)] {
        let folder = url.appending(path: name)
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles
        )
        .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        .map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
        .sorted { $0.0 < $1.0 }
    }
}
