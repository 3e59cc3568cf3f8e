import CloudEngine
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct BackgroundWorkTests {
    @Test("A step woken during another runs after it, never at the same time")
    func wokenStep() async {
        let work = BackgroundWork()
        let steps = Mutex((begun: 0, running: 0, most: 0))
        @Sendable func step() async -> Duration? {
            let isFirst = steps.withLock { steps in
                steps.begun += 1
                steps.running += 1
                steps.most = max(steps.most, steps.running)
                return steps.begun == 1
            }
            if isFirst { for _ in 0..<3 { work.wake(step) } }
            await Task.yield()
            steps.withLock { $0.running -= 1 }
            return nil
        }
        #expect(!work.isWorking)
        work.wake(step)
        await work.finished()
        #expect(!work.isWorking)
        #expect(steps.withLock { $0.begun } == 2 && steps.withLock { $0.most } == 1)
        work.wake(step)
        await work.finished()
        #expect(steps.withLock { $0.begun } == 3)
    }

    @Test("A step runs again after the pause that it returned")
    func pauses() async {
        let work = BackgroundWork()
        let count = Mutex(0)
        work.wake {
            count.withLock { count in
                count += 1
                return count < 4 ? .milliseconds(1) : nil
            }
        }
        await work.finished()
        #expect(count.withLock(\.self) == 4)
    }

    @Test("Closing ends a pause at once, and no step begins after it")
    func closing() async {
        let work = BackgroundWork()
        let (steps, source) = AsyncStream<Void>.makeStream()
        let step: BackgroundWork.Step = {
            source.yield()
            return .seconds(1_000_000)
        }
        work.wake(step)
        for await _ in steps { break }
        #expect(work.isWorking)
        await work.close()
        #expect(!work.isWorking)
        work.wake(step)
        #expect(!work.isWorking)
    }
}
