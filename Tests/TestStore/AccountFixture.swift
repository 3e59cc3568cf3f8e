package import CloudAccounts
package import CloudEngine
import CloudModel
import Foundation
import TestEngine

/// A data folder of its own for one test, gone with it, and a clock that stands until it is moved.
package final class AccountFixture: Sendable {
    package let folder: DataFolder
    private let clock = StandingClock()

    package init(engine: any StoreEngine = TestEngine()) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        folder = try DataFolder(path: path, engine: engine) { [clock] in clock.now }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    /// The accounts, as one process would open them.
    package func open() throws -> AccountStore {
        try AccountStore(folder: folder, passwordCost: TestEngine.passwordCost)
    }

    package func pass(seconds: Int64) {
        clock.pass(milliseconds: seconds * 1000)
    }
}
