import CloudAccounts
import CloudAssets
import CloudHTTP
package import CloudModel
import CloudStore
import CloudWire
import Foundation
import NIOCore

/// `/share/{id}` and the routes below.
package enum SharePageEndpoints {
    package static let page: PageEndpoint = { call in
        let id = call.parameters[0]
        do {
            return try await PageGate(call: call).read(id) { page in
                let call = call.speaking(page)
                let view = try await SharePageBuilder(call: call, page: page).view(after: call.query["after"])
                return try call.sharePage(view, isPacked: Gzip.isTaken(by: call.request))
            }
        } catch let refusal as SharePageRefusal {
            return try refused(refusal, id: id, call)
        } catch let error as PageError where error == SharePageRefusal.notFound {
            return try await missing(id: id, call)
        }
    }

    /// A preview picture in one of the page's sizes. Each request checks access; browsers may cache the picture.
    package static let preview: PageEndpoint = { call in
        guard let size = PreviewSize(rawValue: call.parameters[1]) else { throw SharePageRefusal.notFound }
        let (page, file) = try await file(call, key: call.parameters[2])
        let format = PreviewFormat(accept: call.request.headers[.accept])
        guard
            let preview = try await page.store.assets.preview(
                of: file.asset.key, size, as: format, for: call.client?.network)
        else {
            throw SharePageRefusal.notFound
        }
        return AssetResponse.preview(
            call.request, preview, of: file.asset.key, size, through: call.sender,
            caching: call.query["v"] == file.version ? "private, max-age=31536000, immutable" : "private, no-cache")
    }

    package static let download: PageEndpoint = { call in
        let (page, file) = try await file(call, key: call.parameters[1])
        let offered = file.offered(by: page)
        let form = offered.download
        guard form != nil else { throw SharePageRefusal.notFound }
        var (tag, type) = (file.asset.key.text, file.asset.contentType)
        var reader: (any AssetReading)?
        if form == .original, let given = try await offered.given() {
            (reader, tag) = (try await given.open(in: page.store), given.tag)
        }
        if form == .copy,
            let preview = try await page.store.assets.preview(of: file.asset.key, .large, for: call.client?.network)
        {
            (reader, tag, type) = (preview.reader, "\(tag)-copy", preview.format.contentType)
        }
        guard let reader else { throw SharePageRefusal.notFound }
        let name = offered.savedName(type: type, call.speaking(page).language)
        return AssetResponse.make(
            call.request, reader, through: call.sender, etag: "\"\(tag)\"", type: type,
            caching: "private, no-cache", disposition: ContentDisposition.text(isAttachment: true, name: name))
    }

    /// Streams a video or sound for playback on the page, or shows the original of a picture with a gain map.
    static let media: PageEndpoint = { call in
        let (page, file) = try await file(call, key: call.parameters[1])
        if let form = call.query["as"] { return try await FilmEndpoint.answer(form, of: file, page, call) }
        if let part = call.query["part"] {
            guard part == "motion" else { throw ServerError.badRequest("part: must be motion") }
            return try await motion(of: file, page, call)
        }
        let offered = file.offered(by: page)
        let isBright = offered.brightOriginal != nil
        guard file.isPlayed || isBright, let given = try await offered.given(),
            let contents = try await given.open(in: page.store)
        else { throw SharePageRefusal.notFound }
        // The page's policy lets pictures come from this server only, not from a bucket's link.
        let isLinked = isBright && contents.file == nil
        let reader = isLinked ? PartOfContents(contents, 0..<contents.size) ?? contents : contents
        return AssetResponse.make(
            call.request, reader, through: call.sender, etag: "\"\(given.tag)\"",
            type: file.asset.contentType, caching: "private, no-cache", disposition: "inline")
    }

    /// The video inside a motion photo.
    private static func motion(of file: PageFile, _ page: SharedPage, _ call: PageCall) async throws -> Response {
        let facts = file.isWaiting ? try await page.store.assets.facts(of: file.asset.key) : file.facts
        guard let range = facts?.motion, let given = try await file.offered(by: page).given(),
            let contents = try await given.open(in: page.store), let video = PartOfContents(contents, range)
        else { throw SharePageRefusal.notFound }
        return AssetResponse.make(
            call.request, video, through: call.sender, etag: "\"\(given.tag)-motion\"", type: "video/mp4",
            caching: "private, no-cache", disposition: "inline")
    }

    private static func file(_ call: PageCall, key: String) async throws -> (SharedPage, PageFile) {
        try await PageGate(call: call).readPart(call.parameters[0]) { page in
            guard let key = ItemKey(key), let file = try await page.file(key, call.language) else {
                throw SharePageRefusal.notFound
            }
            return (page, file)
        }
    }

    /// The answer for an unknown page, the same for a hidden page. Offers a signed-in visitor to use another email address,
    /// which may be invited.
    private static func missing(id: String, _ call: PageCall) async throws -> Response {
        let error = SharePageRefusal.notFound
        guard let session = try await call.session() else { throw error }
        call.note(error)
        return try call.sharePage(
            SignInView(
                title: call.language.text(error.title), text: call.language.text(error.text),
                base: SharedPage.path(of: id),
                account: SignInView.Account(
                    name: session.account.displayName(in: call.language),
                    other: SignInAddress.returning(to: SharedPage.path(of: id)) + "&other=1")),
            status: error.status)
    }

    private static func refused(_ refusal: SharePageRefusal, id: String, _ call: PageCall) throws -> Response {
        let base = SharedPage.path(of: id)
        switch refusal {
        case .gone: throw refusal.error
        case .passwordNeeded(let page):
            call.note(refusal.error)
            return try PagePassword.form(call.speaking(page), base: base, problem: nil)
        case .signInNeeded(let isOneTime):
            call.trace.refuse(Phrase("refused.signIn.title").english, .credentials(.notSignedIn))
            return try call.sharePage(
                SignInView(
                    title: call.text("shared.something"),
                    text: call.text(isOneTime ? "oneTime.signIn" : "invited.signIn"), base: base,
                    signIn: SignInAddress.returning(to: base)),
                status: .forbidden)
        case .mayAsk(let isUnverified):
            let title = Phrase("invited.title")
            call.trace.refuse(title.english, .share(isUnverified ? .unverifiedAddress : .mayAsk))
            return try call.sharePage(
                SignInView(
                    title: call.language.text(title),
                    text: isUnverified ? call.text("invited.unconfirmed") : call.text("invited.other"), base: base,
                    canAsk: !isUnverified),
                status: .forbidden)
        }
    }

    /// Asks the visitor to sign in or to request access.
    package struct SignInView: WebPage {
        package static let template = "share-sign-in"

        package let title: String
        package let text: String
        package let base: String
        package var signIn: String?
        var canAsk = false
        /// The signed-in person, whose other email address may be invited.
        package var account: Account?

        package struct Account: PageView {
            package let name: String
            package let other: String
        }
    }
}

/// The sign-in URL that returns to a page.
enum SignInAddress {
    static func returning(to path: String) -> String { "/auth/signin?return=\(PercentEncoding.encode(path))" }
}

extension Site {
    /// The current time, for expiry.
    package var time: Timestamp { accounts.now() }
}

extension PageCall {
    /// A share page, excluded from search engines.
    func sharePage(
        _ page: some WebPage, status: HTTPResponse.Status = .ok, isPacked: Bool = false
    ) throws -> Response {
        var response = try self.page(page, status: status, packing: isPacked ? .whole : .none)
        response.headers[.robots] = "noindex"
        return response
    }
}
