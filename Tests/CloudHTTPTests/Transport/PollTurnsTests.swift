@testable import CloudHTTP
import Synchronization
import Testing

/// Polls look a few at a time.
@Suite(.timeLimit(.minutes(5)))
struct PollTurnsTests {
    /// Looks that go on until they are let.
    private final class Looks: Sendable {
        private let turns: PollTurns

        init(mayTakeLong: Bool = false) { turns = PollTurns { mayTakeLong } }
        private let state = Mutex<(begun: [Int], going: [Int: CheckedContinuation<Void, Never>])>(([], [:]))
        private let (news, tell) = AsyncStream.makeStream(of: Int.self)

        /// - Parameter endsEarly: whether its turn ends before it does.
        func begin(_ number: Int, endsEarly: Bool = false) {
            turns.begin { [self] turn in
                if endsEarly { turn.end() }
                await withCheckedContinuation { continuation in
                    state.withLock { state in
                        state.begun.append(number)
                        state.going[number] = continuation
                    }
                    tell.yield(number)
                }
            }
        }

        func end(_ number: Int) { state.withLock { $0.going.removeValue(forKey: number) }?.resume() }

        /// Those that have begun, once there are so many.
        func begun(_ count: Int) async -> [Int] {
            for await _ in news where state.withLock({ $0.begun.count }) >= count { break }
            return state.withLock { $0.begun }
        }
    }

    @Test("At most 64 polls look at once, and the others follow in order")
    func bound() async {
        let looks = Looks()
        for number in 0..<200 { looks.begin(number) }
        #expect(await Set(looks.begun(64)) == Set(0..<64))
        for number in 0..<136 {
            looks.end(number)
            #expect(await looks.begun(65 + number).dropFirst(64 + number) == [64 + number])
        }
        for number in 136..<200 { looks.end(number) }
    }

    @Test("While a fault delays messages, all polls look at once")
    func late() async {
        let looks = Looks(mayTakeLong: true)
        for number in 0..<100 { looks.begin(number) }
        #expect(await Set(looks.begun(100)) == Set(0..<100))
        for number in 0..<100 { looks.end(number) }
    }

    @Test("A poll that waits for others lets the next one look, once")
    func earlyEnd() async {
        let looks = Looks()
        for number in 0..<64 { looks.begin(number, endsEarly: true) }
        #expect(await looks.begun(64).count == 64)
        for number in 64..<129 { looks.begin(number) }
        #expect(await Set(looks.begun(128)) == Set(0..<128))
        // Their turns are over.
        for number in 0..<64 { looks.end(number) }
        looks.end(64)
        #expect(await looks.begun(129).last == 128)
        for number in 65..<129 { looks.end(number) }
    }
}
