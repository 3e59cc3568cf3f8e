package import CloudModel
import Synchronization

/// Finds environments whose database a later version of the program has written, without opening them for use.
final class LayoutWatch: Sendable {
    private struct Look {
        /// The database that was looked at.
        let database: DatabaseFacts
        let fault: StoreFault?
        let at: ContinuousClock.Instant
    }

    /// The time for which a look is good, and databases that are looked at in one go.
    private static let (lasts, most) = (Duration.seconds(60), 20)
    /// The time after which no further look begins: whoever asks for the health waits for it.
    private static let longest = Duration.milliseconds(300)

    private let engine: any StoreEngine
    private let looks = Mutex<[OpenStores.Key: Look]>([:])

    init(_ engine: any StoreEngine) { self.engine = engine }

    /// The faults of these databases, as far as they were looked at. Looks at databases that
    /// were not looked at lately, within bounds, and at databases with a fault. Waits on the caller's thread.
    func faults(of paths: [OpenStores.Key: String]) -> [OpenStores.Key: StoreFault] {
        var left = Self.most
        let end = ContinuousClock.now + Self.longest
        var faults: [OpenStores.Key: StoreFault] = [:]
        for (key, path) in paths {
            // What cannot be found is told of by others.
            guard let database = try? engine.facts(of: path), !database.isEmpty else { continue }
            let known = looks.withLock { $0[key] }
            if let known, known.database == database, known.fault == nil, known.at.duration(to: .now) < Self.lasts {
                continue
            }
            guard left > 0, ContinuousClock.now < end else {
                faults[key] = known?.fault
                continue
            }
            left -= 1
            let fault = Self.fault(of: path, engine)
            looks.withLock { $0[key] = Look(database: database, fault: fault, at: .now) }
            faults[key] = fault
        }
        looks.withLock { looks in looks = looks.filter { paths[$0.key] != nil } }
        return faults
    }

    /// Nil where the layout is one that this version knows, or cannot be read.
    private static func fault(of path: String, _ engine: any StoreEngine) -> StoreFault? {
        do {
            try engine.refuseNewerRecords(path)
            return nil
        } catch let newer as NewerDatabase { return StoreFault(newer) } catch { return nil }
    }
}

extension StoreEngine {
    /// - Parameter path: of a database of records that is there.
    /// - Throws: ``NewerDatabase`` when a later version of the program wrote it.
    fileprivate func refuseNewerRecords(_ path: String) throws {
        let connection = try openForReading(path)
        defer { try? connection.close() }
        try connection.refuseNewer(Migrations.all, name: name(of: path))
    }
}

extension DataFolder {
    /// Waits on the caller's thread.
    ///
    /// - Throws: ``NewerDatabase`` when a later version of the program wrote the records of an environment.
    package func refuseNewerRecords(container: Int64, environment: ContainerEnvironment) throws {
        let path = recordsFile(container: container, environment: environment)
        guard let database = try engine.facts(of: path), !database.isEmpty else { return }
        try engine.refuseNewerRecords(path)
    }
}
