import CloudHTTP
import CloudModel
import Foundation

/// Pictures of apps from an operator's folder, by their containers: `iCloud.com.example.trips.png`.
///
/// They are read once and held in memory. Their addresses carry digests, so browsers may cache them for good.
package struct AppPictures: Sendable {
    /// A file that cannot be an app's picture.
    package struct Broken: Error, CustomStringConvertible {
        package let description: String
    }

    private static let (mostFiles, mostBytes, sides) = (1000, 256 << 10, 64...1024)
    private static let ending = ".png"

    private var paths: [String: String] = [:]
    private var files: [String: ServedFile] = [:]

    /// - Parameter folder: the folder of the pictures; nil for none.
    /// - Throws: ``Broken`` with the file and the limit that it breaks.
    init(folder: String?) throws {
        guard let folder else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Broken(description: "the folder '\(folder)' of pages.apps cannot be read")
        }
        let pictures = names.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.sorted()
        guard pictures.count <= Self.mostFiles else {
            throw Broken(
                description: "\(folder): has \(pictures.count) pictures, at most \(Self.mostFiles) are allowed")
        }
        for name in pictures {
            let file = try Self.read("\(folder)/\(name)")
            let path = "/app-pictures/\(file.tag)\(Self.ending)"
            paths[String(name.dropLast(Self.ending.count))] = path
            files[file.tag + Self.ending] = file
        }
    }

    private static func read(_ path: String) throws -> ServedFile {
        guard let bytes = FileManager.default.contents(atPath: path), let file = ServedFile(name: path, bytes: bytes)
        else {
            throw Broken(description: "\(path) cannot be read")
        }
        guard bytes.count <= mostBytes else {
            throw Broken(description: "\(path): has \(bytes.count) bytes, at most \(mostBytes) are allowed")
        }
        let size = ImageSize(Array(bytes), type: "image/png")
        guard let size, size.width == size.height, sides.contains(size.width) else {
            let known = "\(sides.lowerBound) to \(sides.upperBound)"
            throw Broken(description: "\(path): must be a square PNG of \(known) pixels a side")
        }
        return file
    }

    /// The path of the picture of a container's app; nil for none.
    func path(of container: String) -> String? { paths[container] }

    /// `GET /app-pictures/{name}`.
    package static let endpoint: PageEndpoint = { call in
        guard let file = call.site.apps.files[call.parameters[0]] else {
            throw ServerError(.notFound, "there is no such file", .missing(.file))
        }
        return file.respond(call.request, cacheControl: "public, max-age=31536000, immutable")
    }
}
