/// A share page or public record page.
struct SharePageView: WebPage {
    static let template = "share"

    let title: String
    /// The lines under the title: dates, counts and owner.
    let lines: [String]
    /// The path of the page.
    let base: String
    /// `rtl` for a title in a right-to-left script; otherwise nil.
    var direction: String?
    /// Metadata for link previews in messengers; nil if the link alone does not open the page.
    var cover: Cover?
    /// The app from the page rule: name, URL and Safari's banner.
    var appName: String?
    var appURL: String?
    var banner: String?

    var photos: [PhotoView] = []
    var hasPhotos = false
    /// The `sizes` attribute for photos.
    var sizes = ""
    /// True for a single photo.
    var isLone = false
    /// Videos and sounds.
    var media: [FileView] = []
    var hasMedia = false
    var files: [FileView] = []
    var hasFiles = false
    var isEmpty = false
    /// The URL of the next part.
    var next: String?

    /// True if the visitor can select files.
    var hasChoices = false
    var loneURL: String?
    var zipURL: String?

    var texts: [Text] = []
    var links: [Link] = []
    var details: Details?
    var tables: [Table] = []

    var isOwner = false
    /// Nil unless signed in.
    var account: Account?
    var signIn: String?
    /// For the owner only.
    var settings: Settings?
    var notice: String?
    var asks: Invitation?
    var offer: Offer?
    var people: People?
}

extension SharePageView {
    /// True if the page shows any text.
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

    struct Settings: PageView {
        let base: String
        let url: String
        let state: String
        let isPublished: Bool
        /// True if visitors see only items that the owner chose.
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

    /// Offers a visitor to join a share that is open to its link.
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
