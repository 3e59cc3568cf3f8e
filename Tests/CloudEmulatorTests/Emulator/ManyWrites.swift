import TestCloud
import Testing

extension App {
    /// Writes many notes at once from many places, and asks four times for something else meanwhile. All of it is to be
    /// answered with 200.
    func writeMuch(_ other: @escaping @Sendable () async throws -> Answer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for index in 0..<20 {
                        let answer = try await modify([
                            Operation.write("forceReplace", "r\(writer)-\(index)", type: "Note")
                        ])
                        #expect(answer.status == 200, "\(answer.text)")
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    let answer = try await other()
                    #expect(answer.status == 200, "\(answer.text)")
                }
            }
            try await group.waitForAll()
        }
    }
}
