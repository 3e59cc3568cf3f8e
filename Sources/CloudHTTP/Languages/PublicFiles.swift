import CPublic
package import Foundation

/// The templates, styles and scripts of the pages and the JavaScript client, embedded in the program or read from a
/// folder.
package struct PublicFiles: Sendable {
    private enum Place {
        case program
        case folder(URL)
    }

    private let place: Place

    /// The folder has no page templates.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter folder: a folder to read the files from during development; nil for the embedded files.
    package init(folder: String?) throws(Missing) {
        guard let folder else {
            place = .program
            return
        }
        let url = URL(filePath: folder)
        let layout = url.appending(path: "templates/layout.mustache")
        guard FileManager.default.fileExists(atPath: layout.path(percentEncoded: false)) else {
            throw Missing(
                description: "the page templates are not in '\(folder)'; CUMULUS_PUBLIC names a folder such as "
                    + "'Public' of the sources, and without it the program shows the pages that it holds")
        }
        place = .folder(url)
    }

    /// Whether the files are the program's own.
    package var areEmbedded: Bool { if case .program = place { true } else { false } }

    /// The files in a folder such as `templates`, by name, without hidden files and subfolders.
    package func files(in name: String) throws -> [(name: String, bytes: Data)] {
        switch place {
        case .program: Self.held(in: name)
        case .folder(let url): try Self.read(url.appending(path: name))
        }
    }

    private static func read(_ folder: URL) throws -> [(name: String, bytes: Data)] {
        try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles
        )
        .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        .map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
        .sorted { $0.0 < $1.0 }
    }

    private static func held(in name: String) -> [(name: String, bytes: Data)] {
        let folder = name.hasSuffix("/") ? name : name + "/"
        return held.filter { $0.path.hasPrefix(folder) && !$0.path.dropFirst(folder.count).contains("/") }
            .map { (String($0.path.dropFirst(folder.count)), $0.bytes) }
            .sorted { $0.0 < $1.0 }
    }

    /// An embedded file, such as `texts/en.json`.
    static func embedded(_ path: String) -> Data? { held.first { $0.path == path }?.bytes }

    /// The embedded files, by path below `Public`.
    private static let held: [(path: String, bytes: Data)] = {
        var files: [(path: String, bytes: Data)] = []
        while true {
            let file = cpublic_file_at(files.count)
            guard let path = file.path, let bytes = file.bytes else { return files }
            // The bytes are constants in the program, so they are neither written nor freed.
            let held = Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: file.count, deallocator: .none)
            files.append((String(cString: path), held))
        }
    }()
}
