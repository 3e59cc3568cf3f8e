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

    @Test("What the image's stages copy is in its build context", .timeLimit(.minutes(1)))
    func copies() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let kept = try String(contentsOf: root.appending(path: ".dockerignore"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        let recipe = try String(contentsOf: root.appending(path: "Dockerfile"), encoding: .utf8)
        let sources = recipe.matches(of: /(?m)^COPY (?!--from)(\S+)/).map { String($0.output.1) }.filter { $0 != "." }
        #expect(sources.contains("Scripts/build-vips.sh") && sources.contains("Public"))
        for source in sources where !source.contains("*") {
            #expect(kept.contains { source == $0 || source.hasPrefix($0 + "/") }, "\(source)")
            #expect(FileManager.default.fileExists(atPath: root.appending(path: source).path()), "\(source)")
        }
        // It alone would be more than all the rest.
        #expect(!recipe.contains("libvips-tools"))
    }
}
