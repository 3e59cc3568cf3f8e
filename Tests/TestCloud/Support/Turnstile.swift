/// Lets so many through at a time. Tests run side by side, and a thousand servers at once would want more open files
/// than a process may have.
package actor Turnstile {
    package static let servers = Turnstile(places: 12)

    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(places: Int) {
        self.places = places
    }

    package nonisolated func pass<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }
}
