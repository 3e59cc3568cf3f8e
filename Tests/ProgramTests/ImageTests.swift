import Foundation
import Testing

/// The context that the image is built in.
@Suite(.timeLimit(.minutes(5)))
struct ImageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    @Test("The image is built from release archives and not from the program's sources")
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

    /// The packages that a stage of the image installs, a line break or not between them.
    private func packages(_ stage: String) throws -> [String] {
        let recipe = try text("Dockerfile").replacing("\\\n", with: " ")
        let text = try #require(recipe.components(separatedBy: "\nFROM ").first { $0.contains(stage) })
        let install = try #require(text.firstMatch(of: /--no-install-recommends ([^&\n]+)/)?.output.1)
        return install.split(separator: " ").map(String.init)
    }

    @Test("The preview libraries of the build are installed in the image, and apt knows every package")
    func libraries() async throws {
        let (built, run) = (try packages("AS previews"), try packages("COPY --from=previews"))
        let libraries = built.filter { $0.hasPrefix("lib") && $0.hasSuffix("-dev") }.map { $0.dropLast(4) }
        #expect(libraries.count == 10)
        for library in libraries { #expect(run.contains { $0.hasPrefix(library) }, "\(library)") }
        let known = try await Program().bash(
            "ls /var/lib/apt/lists/*Packages* >/dev/null || exit 0\n"
                + "apt-cache show --no-all-versions \((built + run).joined(separator: " ")) >/dev/null")
        #expect(known.status == 0, "\(known.errors)")
    }
}
