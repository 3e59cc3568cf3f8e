import CloudEngine
import Foundation
import Synchronization

/// Gives the emptied schemas of tests that have ended to later tests: PostgreSQL lays out a schema in ten times the time.
final class SpareSchemas: Sendable {
    enum Kind {
        case records, accounts
    }

    /// A schema that a test uses, or has used.
    private struct Use {
        let path: String
        let kind: Kind
        /// Of the test; gone when it has ended.
        let folder: String
        var connections: [Weak]

        var isSpare: Bool {
            connections.allSatisfy { $0.object == nil } && !FileManager.default.fileExists(atPath: folder)
        }
    }

    /// Only asked whether its object still exists.
    private struct Weak: @unchecked Sendable {
        weak var object: AnyObject?
    }

    private let engine: any StoreEngine
    private let uses = Mutex<[String: Use]>([:])
    private let models = Mutex<[Kind: SchemaModel]>([:])

    init(_ engine: any StoreEngine) { self.engine = engine }

    /// Renames a spare schema for a path without a schema. Without a spare schema, the migrations make the path's.
    func provide(_ path: String, _ kind: Kind) throws {
        guard let folder = Self.folder(of: path) else { return }
        // One at a time: a schema that another thread makes at this path meanwhile would be replaced.
        try models.withLock { models in
            guard try engine.locations.facts(of: path) == nil, let spare = take(for: path, kind, in: folder) else {
                return
            }
            let model = try models[kind] ?? SchemaModel(kind, in: engine)
            models[kind] = model
            guard try model.empty(spare, of: engine) else { return }
            try engine.locations.move(spare, to: path)
        }
    }

    /// Notes that a path is used, and gives that of a spare schema.
    private func take(for path: String, _ kind: Kind, in folder: String) -> String? {
        uses.withLock { uses in
            let spare = uses.values.first { $0.kind == kind && $0.isSpare }?.path
            if let spare { uses[spare] = nil }
            uses[path] = Use(path: path, kind: kind, folder: folder, connections: [])
            return spare
        }
    }

    /// Notes a connection, which ends with the object.
    func note<T>(_ connection: T, to path: String) {
        precondition(type(of: connection as Any) is AnyClass, "the end of a struct cannot be seen")
        let reference = Weak(object: connection as AnyObject)
        uses.withLock { $0[path]?.connections.append(reference) }
    }

    /// The folder of the test that a database belongs to; nil for databases beside those of tests.
    private static func folder(of path: String) -> String? {
        let parent = FileManager.default.temporaryDirectory.path()
        guard path.hasPrefix(parent), let name = path.dropFirst(parent.count).split(separator: "/").first else {
            return nil
        }
        let folder = parent + name
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }
}
