import CloudConsole
package import CloudPages

/// All page types of the server.
enum PageTable {
    static let all: [any WebPage.Type] = SitePages.all + ConsolePages.all
}

extension PageFiles {
    /// - Throws: an error with the name of a missing or malformed template.
    package init(_ source: PublicFiles) throws {
        try self.init(source, pages: PageTable.all)
    }
}
