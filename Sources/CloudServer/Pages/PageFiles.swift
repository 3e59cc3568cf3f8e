/// The templates and static files of all pages, read once.
package struct PageFiles: Sendable {
    let templates: PageTemplates
    let statics: StaticFiles

    package init(_ folder: PublicFolder) throws {
        statics = try StaticFiles(folder)
        templates = try PageTemplates(folder, common: ["static": statics.path])
    }
}
