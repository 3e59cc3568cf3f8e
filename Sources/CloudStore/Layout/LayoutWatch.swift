package import CloudEngine
package import CloudModel
import Synchronization

/// Finds databases written by a later program version, without opening their stores.
final class LayoutWatch: Sendable {
    private struct Check {
        /// The identity of the checked database.
        let database: DatabaseFacts
        let fault: StoreFault?
        let at: ContinuousClock.Instant
    }

    /// The lifetime of a result, and the most databases checked per call.
    private static let (lasts, most) = (Duration.seconds(60), 20)
    /// The time limit for starting further checks, because health requests wait for the result.
    private static let longest = Duration.milliseconds(300)

    private let engine: any StoreEngine
    private let looks = Mutex<[OpenStores.Key: Check]>([:])

    init(_ engine: any StoreEngine) { self.engine = engine }

    /// The known layout faults of these databases. Checks new, expired and faulty results, within bounds. Blocks the
    /// calling thread.
    func faults(of paths: [OpenStores.Key: String]) -> [OpenStores.Key: StoreFault] {
        var left = Self.most
        let end = ContinuousClock.now + Self.longest
        var faults: [OpenStores.Key: StoreFault] = [:]
        for (key, path) in paths {
            // Missing databases are reported elsewhere.
            guard let database = try? engine.locations.facts(of: path), !database.isEmpty else { continue }
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
            looks.withLock { $0[key] = Check(database: database, fault: fault, at: .now) }
            faults[key] = fault
        }
        looks.withLock { looks in looks = looks.filter { paths[$0.key] != nil } }
        return faults
    }

    /// Nil for a known layout, or an unreadable one.
    private static func fault(of path: String, _ engine: any StoreEngine) -> StoreFault? {
        do {
            try engine.refuseNewerRecords(path)
            return nil
        } catch let newer as NewerDatabase { return StoreFault(newer) } catch { return nil }
    }
}

extension StoreEngine {
    /// - Parameter path: the path of an existing records database.
    /// - Throws: ``NewerDatabase`` when a later program version wrote the database.
    fileprivate func refuseNewerRecords(_ path: String) throws {
        let connection = try opener.openForReading(path)
        defer { try? connection.close() }
        try connection.refuseNewer(Migrations.all, name: locations.name(of: path))
    }
}

extension DataFolder {
    /// Blocks the calling thread.
    ///
    /// - Throws: ``NewerDatabase`` when a later program version wrote the environment's records.
    package func refuseNewerRecords(container: Int64, environment: ContainerEnvironment) throws {
        let path = recordsFile(container: container, environment: environment)
        guard let database = try engine.locations.facts(of: path), !database.isEmpty else { return }
        try engine.refuseNewerRecords(path)
    }
}
