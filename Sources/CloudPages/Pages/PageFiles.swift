package import CloudHTTP

/// The templates and static files of all pages, and the JavaScript client, read once.
package struct PageFiles: Sendable {
    package let templates: PageTemplates
    let statics: StaticFiles
    package let client: ClientFiles
    let apps: AppPictures

    package var languages: Languages { templates.languages }

    /// - Parameters:
    ///   - texts: a folder of an operator's texts; nil for none.
    ///   - apps: a folder of an operator's pictures of apps; nil for none.
    ///   - pages: the page types that the server shows; a missing template is an error.
    /// - Throws: errors that name the file, and the key of a text.
    package init(_ source: PublicFiles, texts: String? = nil, apps: String? = nil, pages: [any WebPage.Type]) throws {
        statics = try StaticFiles(source)
        client = try ClientFiles(source)
        self.apps = try AppPictures(folder: apps)
        templates = try PageTemplates(
            source, languages: .read(source, laying: texts), pages: pages, common: ["static": statics.path])
    }
}
