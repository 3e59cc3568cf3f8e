import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import CloudWire

/// The film of a page's video for browsers that cannot play the file itself: `/share/{id}/media/{item}?as=h264`.
///
/// The film has no metadata, so it is the same whether the visitor sees places or not, and it is there where the file itself
/// is not given.
enum FilmEndpoint {
    private static let (form, type) = ("h264", "video/mp4")
    /// Seconds until a browser asks again: while the film waits, and while it is made.
    private static let (pauseWaiting, pauseMaking) = (5, 2)

    /// - Parameter form: the value of `as`.
    /// - Throws: `BAD_REQUEST` for another form, and for files of which there is no film.
    static func answer(
        _ form: String, of file: PageFile, _ page: SharedPage, _ call: PageCall
    ) async throws -> Response {
        guard form == Self.form else { throw ServerError.badRequest("as: must be \(known: Self.form)") }
        guard call.query["part"] == nil else { throw ServerError.badRequest("as: cannot be asked for with part") }
        let isGet = call.request.method == .get
        guard let film = try await page.store.assets.film(of: file.asset.key, begins: isGet) else {
            throw SharePageRefusal.notFound
        }
        switch film {
        case .made(let reader):
            return AssetResponse.make(
                call.request, reader, through: call.sender, etag: "\"\(file.asset.key.text)-\(Self.form)\"", type: type,
                caching: "private, no-cache", disposition: "inline")
        case .making(let share): return making(share)
        case .none(let refusal): throw ServerError.badRequest(reason(refusal))
        }
    }

    private static func making(_ share: Double?) -> Response {
        var writer = JSONWriter()
        writer.object {
            $0.key("progress")
            if let share { $0.number(share) } else { $0.null() }
        }
        var response = Response.json(writer, status: .accepted)
        response.headers[.retryAfter] = String(share == nil ? pauseWaiting : pauseMaking)
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    private static func reason(_ refusal: FilmRefusal) -> Reason {
        switch refusal {
        case .notMadeHere: "as: this server makes no films (pages.transcode; it needs ffmpeg and vipsthumbnail)"
        case .noVideo: "as: the file is no video of which films are made"
        case .unknownLength:
            "as: the video does not tell its length, and films are made of at most \(FilmMaker.mostSeconds) seconds"
        case .tooLong: "as: the video is longer than \(FilmMaker.mostSeconds) seconds, of which films are made at most"
        case .unusable: "as: no film can be made of this video"
        }
    }
}
