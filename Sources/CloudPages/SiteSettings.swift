/// Validated settings of the server's own pages.
package struct SiteSettings: Sendable {
    /// A folder of pages for development; nil for the built-in pages.
    package var publicFolder: String?
    /// True to enable the operators' console.
    package var consoleIsEnabled = false

    /// The operator's name for this server, as people read it; nil for its host.
    package var siteName: String?
    /// The language of pages for visitors whose languages have no texts.
    package var language = "en"
    /// A folder of the operator's texts; nil for the built-in texts.
    package var texts: String?
    /// A folder of pictures of apps, by their containers; nil for none.
    package var apps: String?

    /// Programs that make previews of pictures at a time.
    package var programs = 2
    /// True to make posters of videos, where ffmpeg is installed.
    package var posters = true
    /// True to make films of videos that a visitor's browser cannot play, where ffmpeg is installed.
    package var transcode = true

    package var passkeys = PasskeySettings()
    package var news = PageWatchLimits()

    package init() {}
}
