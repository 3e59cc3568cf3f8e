import ArgumentParser
import Foundation
import NIOCore
import Traffic

/// Saves photos as records under `root` of a zone, as many as asked for: those of a folder over and over, each time
/// with other bytes after the picture's end, so that no two are the same asset.
struct SeedPhotos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Uploads photos and saves a record for each.")
    private static let type = "Photo"
    private static let field = "image"

    @OptionGroup var target: Target

    @Option(help: "The custom zone with a record `root`.")
    var zone: String

    @Option(help: "The folder of photos.")
    var photos: String

    @Option(help: "How many to save.")
    var count: Int

    @Option(help: "Bytes each has at least.")
    var bytes = 0

    func run() async throws {
        let caller = HTTPCaller(connections: 2)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        let pictures = try Self.read(photos)
        for start in stride(from: 0, to: count, by: Self.mostInRequest) {
            try await seed(start..<min(start + Self.mostInRequest, count), of: pictures, by: session)
        }
        try await caller.shutdown()
    }

    private static let mostInRequest = 200

    private func seed(_ numbers: Range<Int>, of pictures: [[UInt8]], by session: CloudSession) async throws {
        let links = try await session.uploadLinks(numbers.count, for: Self.type, field: Self.field, zone: zone)
        var operations: [String] = []
        let bytes = bytes
        try await forEach(Array(zip(numbers, links)), inFlight: 2) { number, link in
            let file = FileVersion(pictures[number % pictures.count], atLeast: bytes).numbered(number)
            let value = try await session.upload(file, to: link).field
            return Bodies.create(
                "photo-\(number)", type: Self.type, parent: ShareZone.root, fields: #""\#(Self.field)":\#(value)"#)
        } each: {
            operations.append($0)
        }
        try await session.modify("private", Bodies.modify(operations, zone: zone))
    }

    private static func read(_ folder: String) throws -> [[UInt8]] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }
        guard !files.isEmpty else { throw ValidationError("there are no photos in \(folder)") }
        return try files.sorted().map { [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) }
    }
}
