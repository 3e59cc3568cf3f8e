import Foundation
import Testing

/// The context that the image is built in.
struct ImageTests {
    @Test("Every folder that the manifest names is in the image's build context", .timeLimit(.minutes(1)))
    func context() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let kept = try String(contentsOf: root.appending(path: ".dockerignore"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let named = manifest.matches(of: /path: "([^"]+)"/).map { String($0.output.1) }
        #expect(named.count > 3)
        for path in named + ["Sources/cumulus", "Tests/ProgramTests", "Public/templates"] {
            #expect(kept.contains { path == $0 || path.hasPrefix($0 + "/") }, "\(path)")
        }
    }
}
