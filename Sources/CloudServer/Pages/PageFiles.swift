/// The templates and static files of all pages, and the JavaScript client, read once.
package struct PageFiles: Sendable {
    let templates: PageTemplates
    let statics: StaticFiles
    let client: ClientFiles

    /// - Parameter pages: the pages that the server shows; each must have its template.
    init(_ folder: PublicFolder, pages: [any WebPage.Type]) throws {
        statics = try StaticFiles(folder)
        client = try ClientFiles(folder)
        templates = try PageTemplates(folder, pages: pages, common: ["static": statics.path])
    }
}
