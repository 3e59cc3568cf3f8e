/// The page of something shared, or of a public record.
struct SharePageView: WebPage {
    static let template = "share"

    let title: String
    /// The lines under the title: when, how much and whose.
    let lines: [String]
    /// The path of the page.
    let base: String
    /// Set where the title runs from right to left.
    var direction: String?
    /// The part for messengers; nil for a page that not everybody may see.
    var cover: Cover?
    /// The app of the page rule: its name, where to open it, and the banner that Safari shows.
    var appName: String?
    var appURL: String?
    var banner: String?

    var photos: [PhotoView] = []
    var hasPhotos = false
    /// The widths of photos at each width of the window, as `sizes` takes them.
    var sizes = ""
    /// Whether a photo stands alone.
    var isLone = false
    /// Videos and sounds.
    var media: [FileView] = []
    var hasMedia = false
    var files: [FileView] = []
    var hasFiles = false
    var isEmpty = false
    /// The address of the next part.
    var next: String?

    /// Whether files can be chosen.
    var hasChoices = false
    var loneURL: String?
    var zipURL: String?

    var texts: [Text] = []
    var links: [Link] = []
    var details: Details?
    var tables: [Table] = []

    var isOwner = false
    /// Nil when nobody is signed in.
    var account: Account?
    var signIn: String?
    /// For the owner alone.
    var settings: Settings?
    var notice: String?
    var asks: Invitation?
    var offer: Offer?
    var people: People?
}

extension SharePageView {
    /// True if the page tells something in words.
    var hasWords: Bool { !tables.isEmpty || !texts.isEmpty || !links.isEmpty || details != nil }

    struct Cover: PageView {
        let title: String
        let url: String
        let description: String?
        let picture: CoverPicture?
    }

    struct CoverPicture: PageView {
        let url: String
        let width: String
        let height: String
    }

    struct Account: PageView {
        let name: String
        let signOut: String
    }

    /// The owner's settings.
    struct Settings: PageView {
        let base: String
        let url: String
        let state: String
        let isPublished: Bool
        /// Whether others see only what the owner chose.
        let hasItems: Bool
        let expiry: String
        let deletesAfterExpiry: Bool
        let hasPassword: Bool
        let isTakenDown: Bool
    }

    struct Invitation: PageView {
        let base: String
        let invitation: String
        let terms: String
        let isSignedIn: Bool
        let signInToJoin: String?
    }

    /// The offer to join to somebody for whom the link is enough.
    struct Offer: PageView {
        let base: String
        let terms: String
        let signInToJoin: String?
    }

    struct People: PageView {
        let base: String
        let members: [Member]
        let canLeave: Bool
    }

    struct Member: PageView {
        let name: String
        let initial: String
        let role: String
        /// True for the visitor.
        let isViewer: Bool
    }
}
