import Foundation
import Synchronization
import Testing

@testable import CloudEngine

@Suite(.timeLimit(.minutes(5)))
struct RefusedLockTests {
    @Test("A refused lock closes its own descriptor only, however many files others open meanwhile")
    func descriptors() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let holder = try FileLock(path: path, wait: false)
        let isOver = Atomic(false)
        let lost = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                for _ in 0..<20_000 { _ = try? FileLock(path: path, wait: false) }
                isOver.store(true, ordering: .relaxed)
            } else {
                while !isOver.load(ordering: .relaxed) {
                    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    if fcntl(descriptor, F_GETFD) < 0 { lost.add(1, ordering: .relaxed) }
                    if close(descriptor) < 0 { lost.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(lost.load(ordering: .relaxed) == 0)
        withExtendedLifetime(holder) {}
    }
}
