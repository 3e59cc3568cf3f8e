import CloudModel
import Synchronization
import Testing

@testable import CloudStore

@Suite(.timeLimit(.minutes(5)))
struct PreviewPreparationTests {
    private final class State: Sendable {
        let begun = Atomic(0)
        let ended = Atomic(0)
        let isOpen = Atomic(false)
    }

    @Test("However often a page is opened, its cover is prepared once, and a bounded number at once")
    func bounded() async throws {
        let maker = try #require(PreviewMaker(mostPixels: 1, mostWaiting: 1))
        let previews = Previews(folder: "/nowhere", maker: maker)
        let state = State()
        let keys = (0..<100).map { AssetKey(sha256: Array(repeating: UInt8($0), count: 32)) }
        for key in keys + keys {
            previews.prepare(key) {
                state.begun.add(1, ordering: .relaxed)
                while !state.isOpen.load(ordering: .relaxed) { await Task.yield() }
                state.ended.add(1, ordering: .relaxed)
            }
        }
        state.isOpen.store(true, ordering: .relaxed)
        while state.ended.load(ordering: .relaxed) < Previews.mostPreparing { await Task.yield() }
        #expect(state.begun.load(ordering: .relaxed) == Previews.mostPreparing)
    }
}
