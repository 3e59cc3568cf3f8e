/// Runs `body` for every element, `width` at a time, and hands each result to `each` as it comes.
func forEach<Element: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, inFlight width: Int,
    _ body: @escaping @Sendable (Element) async throws -> Result, each: (Result) -> Void
) async throws {
    var waiting = elements.makeIterator()
    try await withThrowingTaskGroup(of: Result.self) { group in
        func startNext() {
            guard let element = waiting.next() else { return }
            group.addTask { try await body(element) }
        }
        for _ in 0..<width { startNext() }
        while let result = try await group.next() {
            each(result)
            startNext()
        }
    }
}
