import Foundation
import Testing

/// Tests end on their own, whatever becomes of what they wait for.
struct TimeLimitTests {
    @Test("Each test that waits has a time limit")
    func waitsEnd() throws {
        let waits = try Regex<Substring>(Self.waits)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "..").standardized
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path())
        where path.hasSuffix("Tests.swift") && !path.hasSuffix("/TimeLimitTests.swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            if text.contains(/@Suite\(.*\.timeLimit\(/) { continue }
            for test in text.components(separatedBy: "@Test").dropFirst()
            where !test.prefix(200).contains(".timeLimit(") {
                let wait = test.firstMatch(of: waits).map { String($0.output) }
                #expect(wait == nil, "\(path) has a test without a time limit:\(test.prefix(80))")
            }
        }
    }

    /// Loops that only an event ends, and what waits for other programs, connections and browsers.
    private static let waits = [
        "for (?:try )?await ", "while true", #"while [^\n]*await "#, #"Task\.(?:yield|sleep)"#, "withChecked",
        #"\bWire\("#, #"\.live\b"#, #"Receiver\.run"#, "TestBrowser", "BrowserPage", #"\buntil \{"#, "EventReader",
        "RunningServer", "ChildProcess", #"Program[.(]"#, "PseudoTerminal", #"arrived\(\)"#, "AppSite",
    ].joined(separator: "|")
}
