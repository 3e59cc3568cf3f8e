import CloudAssets
import CloudModel
import Foundation

/// The files of an environment's previews, and of what was found while they were made.
struct PreviewFiles: Sendable {
    let folder: String

    /// Changes with the way in which previews are made, so that those of an earlier version are made anew.
    private static let recipe = 3
    private static let draft = ".draft"

    private static let endings = Set(
        PreviewSize.allCases.flatMap { size in PreviewFormat.allCases.map { ending(size, $0) } }
            + [colorEnding, frameEnding, filmEnding])

    private static let colorEnding = "-color-\(recipe)"
    private static let frameEnding = "-frame-1.jpg"
    private static let filmEnding = "-film-1.mp4"

    private static func ending(_ size: PreviewSize, _ format: PreviewFormat) -> String {
        "-\(size.rawValue)-\(recipe).\(format.rawValue)"
    }

    func path(of file: AssetFile, _ size: PreviewSize, _ format: PreviewFormat) -> String {
        "\(folder)/\(file.name)\(Self.ending(size, format))"
    }

    /// Where a preview is written until it is whole.
    func draft(of file: AssetFile, _ size: PreviewSize, _ format: PreviewFormat) -> String {
        "\(folder)/\(file.name)-\(size.rawValue)\(Self.draft).\(format.rawValue)"
    }

    /// The picture of a video that its previews are made of.
    func frame(of file: AssetFile) -> String { "\(folder)/\(file.name)\(Self.frameEnding)" }

    func frameDraft(of file: AssetFile) -> String { "\(folder)/\(file.name)-frame\(Self.draft).jpg" }

    /// The film of a video for browsers that cannot play it.
    func film(of file: AssetFile) -> String { "\(folder)/\(file.name)\(Self.filmEnding)" }

    func filmDraft(of file: AssetFile) -> String { "\(folder)/\(file.name)-film\(Self.draft).mp4" }

    func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The color that was found of a picture.
    func color(of file: AssetFile) -> PictureColor? {
        FileManager.default.contents(atPath: "\(folder)/\(file.name)\(Self.colorEnding)")
            .flatMap { PictureColor(name: String(decoding: $0, as: UTF8.self)) }
    }

    /// Keeps the color of a picture. A failure leaves the picture without one.
    func keep(_ color: PictureColor, of file: AssetFile) {
        let path = "\(folder)/\(file.name)\(Self.colorEnding)"
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(color.name.utf8), attributes: [.posixPermissions: 0o600])
    }

    /// Deletes the previews of deleted contents.
    func remove(_ file: AssetFile) {
        for ending in Self.endings { unlink("\(folder)/\(file.name)\(ending)") }
    }

    /// The names of all files, by the asset that they belong to. Blocks.
    func list() -> [AssetFile: [String]] {
        Dictionary(grouping: (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []) {
            AssetFile(name: String($0.prefix { $0 != "-" }))
        }
    }

    /// True for a whole file of this version.
    func isWhole(_ name: String) -> Bool { Self.endings.contains(String(name.drop { $0 != "-" })) }

    func remove(_ name: String) { unlink("\(folder)/\(name)") }
}
