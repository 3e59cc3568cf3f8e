/// Waits until a condition holds. The pauses leave the processor to those that the test waits for.
package func until(_ condition: () async throws -> Bool) async throws {
    _ = try await answer(of: condition) { $0 }
}

/// Asks until an answer is the wanted one, with pauses that grow to a tenth of a second.
///
/// - Returns: that answer.
package func answer<T>(of ask: () async throws -> T, until isWanted: (T) -> Bool) async throws -> T {
    var pause = 10
    while true {
        let answer = try await ask()
        if isWanted(answer) { return answer }
        try await Task.sleep(for: .milliseconds(pause))
        pause = min(2 * pause, 100)
    }
}
