import CloudConsole
package import CloudHTTP
package import CloudPages

/// All page types of the server.
enum PageTable {
    static let all: [any WebPage.Type] = SitePages.all + ConsolePages.all
}

extension PageFiles {
    /// - Parameters:
    ///   - texts: a folder of an operator's texts; nil for none.
    ///   - apps: a folder of an operator's pictures of apps; nil for none.
    /// - Throws: an error with the name of a missing or malformed file, and the key of a text at fault.
    package init(_ source: PublicFiles, texts: String? = nil, apps: String? = nil) throws {
        try self.init(source, texts: texts, apps: apps, pages: PageTable.all)
    }
}
