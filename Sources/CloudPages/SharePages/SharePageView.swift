import CloudHTTP

/// A share page or public record page.
package struct SharePageView: WebPage {
    package static let template = "share"

    package let title: String
    /// The lines under the title: dates, counts and owner.
    package let lines: [String]
    /// The path of the page.
    package let base: String
    /// `rtl` for a title in a right-to-left script; otherwise nil.
    package var direction: String?
    /// Metadata for link previews in messengers; nil if the link alone does not open the page.
    var cover: Cover?
    /// The app from the page rule; nil without one.
    var app: App?

    var photos: [PhotoView] = []
    var hasPhotos = false
    /// The `sizes` attribute for photos.
    var sizes = ""
    /// The class for the number of photos: `one`, `few`, `four` or `many`.
    var crowd = "many"
    /// True for a single photo of known size.
    package var isLone = false
    /// Videos and sounds; nil for none.
    var media: Media?
    /// True for the full width, as of a page with a grid or a table. Part of the first bytes, so that nothing moves later.
    var isWide = false
    package var files: [FileView] = []
    var hasFiles = false
    package var isEmpty = false
    /// The URL of the next part.
    package var next: String?
    /// The order of a long page in a script's form; nil for a page in one part.
    var grid: String?
    /// The state by which an open page recognizes changes.
    var news: News?
    /// True if the pictures stand under the headings of their days.
    var isByDay = false
    /// Links to the days of a long page; nil for one day.
    var days: GridView.Days?

    /// The selection of files; nil if there is nothing to select.
    var choices: Choices?
    var loneURL: String?
    /// The URL of all files; nil if they are too many for one zip.
    var zipURL: String?
    /// Says how many files can be downloaded at once; nil if all can.
    var crowded: String?

    package var texts: [Text] = []
    package var links: [Link] = []
    package var details: Details?
    var tables: [Table] = []

    var isOwner = false
    /// Nil unless signed in.
    package var account: Account?
    package var signIn: String?
    /// For the owner only.
    package var settings: Settings?
    package var notice: String?
    /// Tells the owner of files that visitors do not get, since their place cannot be removed; nil for none.
    var withheld: String?
    var asks: Invitation?
    package var offer: Offer?
    package var people: People?
}

extension SharePageView {
    /// True if the page shows any text.
    package var hasWords: Bool { !tables.isEmpty || !texts.isEmpty || !links.isEmpty || details != nil }

    struct News: PageView {
        let version: String
        /// The number of pictures and videos.
        let count: String
    }

    struct App: PageView {
        let name: String
        /// The path of the picture; nil for none.
        let picture: String?
        /// The URL that opens the page in the app.
        var url: String?
        /// Safari's banner.
        var banner: String?
    }

    struct Media: PageView {
        let files: [FileView]
    }

    struct Choices: PageView {
        let canDownload: Bool
    }

    struct Cover: PageView {
        let title: String
        /// The app's name, otherwise the operator's name of the server, otherwise its host.
        let siteName: String
        /// The language and region of the texts, such as `de_DE`.
        let locale: String
        let url: String
        let description: String?
        let picture: CoverPicture?
    }

    struct CoverPicture: PageView {
        let url: String
        /// Pixels; nil if unknown, as of a video.
        let width: String?
        let height: String?
        let alt: String
    }

    package struct Account: PageView {
        package let name: String
        package let signOut: String
    }

    package struct Settings: PageView {
        package let base: String
        package let url: String
        package let state: String
        let isPublished: Bool
        /// True if visitors see only items that the owner chose.
        let hasItems: Bool
        let expiry: String
        let deletesAfterExpiry: Bool
        package let hasPassword: Bool
        let isTakenDown: Bool
        /// True if visitors learn where pictures were taken.
        let showsPlaces: Bool
        /// The choices of downloads; empty without one.
        let downloads: [SettingChoice]
        let hasDownloads: Bool
        let layouts: [SettingChoice]
        /// The languages for visitors whose browsers ask for none.
        let linkLanguages: [LanguageChoice]

        package init(
            base: String, url: String, state: String, isPublished: Bool, hasItems: Bool, expiry: String,
            deletesAfterExpiry: Bool, hasPassword: Bool, isTakenDown: Bool, showsPlaces: Bool = false,
            downloads: [SettingChoice] = [], layouts: [SettingChoice] = [], linkLanguages: [LanguageChoice] = []
        ) {
            self.layouts = layouts
            self.linkLanguages = linkLanguages
            self.base = base
            self.url = url
            self.state = state
            self.isPublished = isPublished
            self.hasItems = hasItems
            self.expiry = expiry
            self.deletesAfterExpiry = deletesAfterExpiry
            self.hasPassword = hasPassword
            self.isTakenDown = isTakenDown
            self.showsPlaces = showsPlaces
            self.downloads = downloads
            hasDownloads = !downloads.isEmpty
        }
    }

    package struct Invitation: PageView {
        package let base: String
        package let invitation: String
        package let terms: String
        let appPicture: String?
        /// What a one-time link does; nil for another link.
        let oneTime: String?
        package let isSignedIn: Bool
        let signInToJoin: String?
    }

    /// Offers a visitor to join a share that is open to its link.
    package struct Offer: PageView {
        package let base: String
        package let terms: String
        let appPicture: String?
        let signInToJoin: String?
    }

    package struct People: PageView {
        package let base: String
        package let members: [Member]
        let canLeave: Bool
    }

    package struct Member: PageView {
        package let name: String
        let initial: String
        package let role: String
        /// True for the visitor.
        let isViewer: Bool

        package init(name: String, initial: String, role: String, isViewer: Bool) {
            self.name = name
            self.initial = initial
            self.role = role
            self.isViewer = isViewer
        }
    }
}
