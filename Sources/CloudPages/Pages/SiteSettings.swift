/// Validated settings of the server's own pages.
package struct SiteSettings: Sendable {
    /// A folder of pages for development; nil for the built-in pages.
    package var publicFolder: String?
    /// True to enable the operators' console.
    package var consoleIsEnabled = false

    package init() {}
}
