import CloudConsole
package import CloudHTTP
package import CloudPages

/// All page types of the server.
enum PageTable {
    static let all: [any WebPage.Type] = SitePages.all + ConsolePages.all
}

extension PageFiles {
    /// - Parameter texts: a folder of an operator's texts; nil for none.
    /// - Throws: an error with the name of a missing or malformed file, and the key of a text at fault.
    package init(_ source: PublicFiles, texts: String? = nil) throws {
        try self.init(source, texts: texts, pages: PageTable.all)
    }
}
