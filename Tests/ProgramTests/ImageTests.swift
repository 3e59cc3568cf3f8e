import Foundation
import Testing

/// The context that the image is built in.
@Suite(.timeLimit(.minutes(1)))
struct ImageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    @Test("What the image's stages copy is in its build context, and that is no source of the program")
    func copies() throws {
        let kept = try text(".dockerignore").split(separator: "\n").filter { $0.hasPrefix("!") }.map { $0.dropFirst() }
        #expect(kept == [".build/dist/*.tar.gz", "Scripts/build-vips.sh"])
        let recipe = try text("Dockerfile")
        let sources = recipe.matches(of: /(?m)^COPY (?!--from)(\S+)/).map { String($0.output.1) }
        #expect(sources.sorted() == [".build/dist/cumulus-*-linux-*.tar.gz", "Scripts/build-vips.sh"])
        #expect(!recipe.contains("swift"))
        // It alone would be more than all the rest.
        #expect(!recipe.contains("libvips-tools"))
    }
}
