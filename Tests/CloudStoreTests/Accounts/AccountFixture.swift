import CloudStore
import Foundation
import Synchronization
import TestEngine

/// A data folder of its own for one test, gone with it, and a clock that stands until it is moved.
final class AccountFixture: Sendable {
    let folder: DataFolder
    private let time = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        folder = try DataFolder(path: path, engine: TestEngine())
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    /// The accounts, as one process would open them.
    func open() throws -> AccountStore {
        try AccountStore(folder: folder, passwordCost: TestEngine.passwordCost) { [self] in time.withLock(\.self) }
    }

    func pass(seconds: Double) {
        time.withLock { $0 += seconds }
    }
}
