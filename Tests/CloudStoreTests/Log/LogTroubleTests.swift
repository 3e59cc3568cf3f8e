import CloudEngine
import CloudSQL
import Synchronization
import TestEngine
import TestStore
import Testing

struct LogTroubleTests {
    @Test("A failure to restart the log is an environment's fault until it is resolved, logged once")
    func logFault() throws {
        let temporary = try TemporaryStore()
        let told = Mutex<[StoreFault.Kind]>([])
        let file = try OpenedFile(path: temporary.path, locations: TestEngine().locations, place: "a test") { fault in
            told.withLock { $0.append(fault.kind) }
        }
        for _ in 0..<2 {
            file.noteLog(SQLError(.full, "the log cannot be brought back"))
            #expect(file.fault?.kind == .diskFull)
            // Commits go to the log, and say nothing about the file.
            file.succeeded()
            #expect(file.fault?.kind == .diskFull)
        }
        file.noteLog(nil)
        #expect(file.fault == nil)
        #expect(told.withLock { $0 } == [.diskFull])
    }
}
