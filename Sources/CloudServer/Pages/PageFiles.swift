/// The templates and static files of all pages, and the JavaScript client, read once.
package struct PageFiles: Sendable {
    let templates: PageTemplates
    let statics: StaticFiles
    let client: ClientFiles

    package init(_ folder: PublicFolder) throws {
        statics = try StaticFiles(folder)
        client = try ClientFiles(folder)
        templates = try PageTemplates(folder, common: ["static": statics.path])
    }
}
