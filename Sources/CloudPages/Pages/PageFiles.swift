/// The templates and static files of all pages, and the JavaScript client, read once.
package struct PageFiles: Sendable {
    package let templates: PageTemplates
    let statics: StaticFiles
    package let client: ClientFiles

    /// - Parameter pages: the page types that the server shows; a missing template is an error.
    package init(_ source: PublicFiles, pages: [any WebPage.Type]) throws {
        statics = try StaticFiles(source)
        client = try ClientFiles(source)
        templates = try PageTemplates(source, pages: pages, common: ["static": statics.path])
    }
}
