import CloudAccounts
import CloudEngine
import CloudSQL
import CloudStore
import Foundation
import Synchronization

/// Gives the emptied schemas of tests that have ended to later tests: PostgreSQL lays out a schema in ten times the time.
final class SpareSchemas: Sendable {
    /// A kind of database, with its model: a schema that has had all migrations and nothing else.
    enum Kind: String {
        case records, accounts

        fileprivate var model: String { "/model/\(self).sqlite" }
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

    /// Puts a spare schema at a path that has none, if there is one.
    func provide(_ path: String, _ kind: Kind) throws {
        guard let folder = Self.folder(of: path), try engine.locations.facts(of: path) == nil else { return }
        let spare = uses.withLock { uses -> Use? in
            let spare = uses.first { $0.value.kind == kind && $0.value.isSpare }?.value
            if let spare { uses[spare.path] = nil }
            uses[path] = Use(path: path, kind: kind, folder: folder, connections: [])
            return spare
        }
        guard let spare, try model(of: kind).empty(spare.path, of: engine) else { return }
        try engine.locations.move(spare.path, to: path)
    }

    /// Notes a connection, which ends with the object.
    func note<T>(_ connection: T, to path: String) {
        let reference = Weak(object: connection as AnyObject)
        uses.withLock { $0[path]?.connections.append(reference) }
    }

    private func model(of kind: Kind) throws -> SchemaModel {
        try models.withLock { models in
            if let model = models[kind] { return model }
            let model = try SchemaModel(kind, in: engine)
            models[kind] = model
            return model
        }
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
