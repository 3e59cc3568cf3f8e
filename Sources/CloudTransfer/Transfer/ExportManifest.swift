package import CloudModel
import CloudSQL
import Foundation

/// The description of an export: `manifest.json` (docs/export.md).
package struct ExportManifest: Hashable, Sendable {
    /// The manifest format that this program version writes, and the newest it reads.
    static let format: Int64 = 2

    /// The point where an incomplete export resumes.
    struct Cursor: Hashable, Sendable {
        /// True if assets and users are written.
        var hasAssets: Bool
        /// The number of the next records file, from 1.
        var file: Int64
        /// The row id of the last record written.
        var after: Int64
    }

    /// A custom role with the number that user records store.
    struct Role: Hashable, Sendable {
        let number: Int64
        let name: String
    }

    package let container: String
    package let environment: ContainerEnvironment
    /// The prefix of the environment's short GUIDs.
    let routingKey: String
    /// The position of the last change.
    let position: Int64
    /// The time of the last change; nil if unknown.
    let changed: Timestamp?
    /// Epochs ordered by position. They give record change tags their suffix, and identify tokens of a lost history.
    let epochs: [Epoch]
    /// Custom roles, unique by number and by name.
    let roles: [Role]
    /// The highest role number ever used.
    let lastRole: Int64
    var counts: [TransferList: Int64]
    /// Checksums of assets whose contents were missing at the export.
    package internal(set) var missingAssets: [String]
    /// Nil once the export is complete.
    var cursor: Cursor?

    package var isComplete: Bool { cursor == nil }

    func count(_ list: TransferList) -> Int64 { counts[list] ?? 0 }

    /// The counts of all lists, with their manifest keys and nouns.
    package var summaryCounts: [(key: String, noun: String, count: Int64)] {
        TransferList.allCases.map { ($0.rawValue, $0.noun, count($0)) }
    }

    // MARK: As text

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object {
            $0.member("format", Self.format)
            $0.member("container", container)
            $0.member("environment", environment.rawValue)
            $0.member("routingKey", routingKey)
            $0.member("position", position)
            if let changed { $0.member("changed", changed.milliseconds) }
            $0.key("epochs")
            $0.array { for epoch in epochs { Self.write(epoch, to: &$0) } }
            $0.key("roles")
            $0.array { for role in roles { Self.write(role, to: &$0) } }
            $0.member("lastRole", lastRole)
            $0.key("counts")
            $0.object {
                for list in TransferList.allCases {
                    $0.key(list.rawValue)
                    $0.integer(count(list))
                }
            }
            $0.key("missingAssets")
            $0.array { for asset in missingAssets { $0.string(asset) } }
            $0.member("done", isComplete)
            if let cursor {
                $0.key("next")
                $0.object {
                    $0.member("hasAssets", cursor.hasAssets)
                    $0.member("file", cursor.file)
                    $0.member("after", cursor.after)
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ epoch: Epoch, to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", epoch.id)
            $0.member("first", epoch.first)
            $0.member("began", epoch.began.milliseconds)
            if let kept = epoch.kept { $0.member("kept", kept.milliseconds) }
        }
    }

    private static func write(_ role: Role, to writer: inout JSONWriter) {
        writer.object {
            $0.member("number", role.number)
            $0.member("name", role.name)
        }
    }

    /// Reads the manifest of an export folder.
    ///
    /// - Throws: ``TransferFault`` when the folder is no export, or has a newer format.
    static func read(_ folder: ExportFolder) throws -> ExportManifest {
        let path = folder.path(ExportFolder.manifest)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TransferFault("\(folder.path) is not an export: it has no \(ExportFolder.manifest)")
        }
        guard let object = (try? JSONParser.parse(Array(data)))?.object, let format = object["format"]?.integer else {
            throw TransferFault("\(path) is damaged: it is not the manifest of an export")
        }
        guard format <= Self.format else {
            throw TransferFault(
                "\(folder.path) has format \(format), and this version of cumulus reads up to \(Self.format); "
                    + "import it with the version that wrote it, or a newer one")
        }
        do throws(TransferLine.Fault) { return try ExportManifest(TransferLine(object), format) } catch {
            throw TransferFault("\(path) is damaged: \(error.reason)")
        }
    }

    /// Reads the manifest of a complete export, ready for import.
    ///
    /// - Throws: ``TransferFault`` when the export is incomplete, and as ``read(_:)`` does.
    package static func readComplete(_ folder: ExportFolder) throws -> ExportManifest {
        let manifest = try read(folder)
        guard manifest.isComplete else {
            throw TransferFault("\(folder.path) is not complete; ask for the export again to complete it")
        }
        return manifest
    }

    private init(_ line: TransferLine, _ format: Int64) throws(TransferLine.Fault) {
        container = try line.text("container")
        environment = try line.choice("environment")
        routingKey = try line.text("routingKey")
        position = try line.integer("position", in: TransferLine.numbers)
        changed = try line.timestamp(optional: "changed")
        epochs = format < 2 ? [] : try Self.epochs(line, through: position)
        roles = try line.objects("roles").map { role throws(TransferLine.Fault) in
            Role(number: try role.integer("number", in: TransferLine.ids), name: try role.text("name"))
        }
        guard Set(roles.map(\.number)).count == roles.count, Set(roles.map(\.name)).count == roles.count else {
            throw TransferLine.Fault(reason: "'roles' has two of one number or name")
        }
        lastRole = try line.integer("lastRole", in: TransferLine.numbers)
        let counts = try line.object("counts")
        self.counts = [:]
        for list in TransferList.allCases {
            self.counts[list] = try counts.integer(list.rawValue, in: 0...1_000_000_000_000)
        }
        missingAssets = try line.texts("missingAssets")
        if try line.flag("done") {
            cursor = nil
        } else {
            let next = try line.object("next")
            cursor = Cursor(
                hasAssets: try next.flag("hasAssets"), file: try next.integer("file", in: TransferLine.ids),
                after: try next.integer("after", in: TransferLine.numbers))
        }
    }

    private static func epochs(_ line: TransferLine, through last: Int64) throws(TransferLine.Fault) -> [Epoch] {
        let epochs = try line.objects("epochs").map { epoch throws(TransferLine.Fault) in
            Epoch(
                id: try epoch.integer("id", in: Epoch.ids), first: try epoch.integer("first", in: 1...max(1, last)),
                began: try epoch.timestamp("began"),
                kept: try epoch.timestamp(optional: "kept"))
        }
        guard Set(epochs.map(\.id)).count == epochs.count,
            zip(epochs, epochs.dropFirst()).allSatisfy({ $0.first < $1.first })
        else { throw TransferLine.Fault(reason: "'epochs' has two of one 'id', or is not in the order of 'first'") }
        return epochs
    }

    init(
        container: String, environment: ContainerEnvironment, routingKey: String, position: Int64, changed: Timestamp?,
        epochs: [Epoch], roles: [Role], lastRole: Int64, counts: [TransferList: Int64]
    ) {
        self.container = container
        self.environment = environment
        self.routingKey = routingKey
        self.position = position
        self.changed = changed
        self.epochs = epochs
        self.roles = roles
        self.lastRole = lastRole
        self.counts = counts
        missingAssets = []
        cursor = Cursor(hasAssets: false, file: 1, after: 0)
    }
}
