import NIOHTTP1

// What people settle about the links they gave away (docs/share-pages.md).

extension CloudClient {
    /// Where all of somebody's links are, or the one with this identifier.
    func linkPath(_ id: String? = nil) -> String {
        "/share/1/\(container)/development/links" + (id.map { "/\($0)" } ?? "")
    }

    /// Forgets what an earlier run settled about a link.
    func forgetSettings(of id: String) async throws {
        let answer = try await call(.DELETE, linkPath(id))
        guard answer.status == 200 else {
            throw Mismatch(
                what: "the link of a published record",
                expected: "200, by a page rule in the server's folder, which is ./data or what CUMULUS_DATA says",
                got: answer.summary)
        }
    }
}
