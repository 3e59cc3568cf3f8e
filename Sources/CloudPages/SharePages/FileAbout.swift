import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore

/// The lines that the viewer shows about a file: each a label and a text in the visitor's language.
struct FileAbout: Sendable {
    let page: SharedPage
    let file: PageFile
    let record: PageRecord
    let language: PageLanguage

    /// `GET /share/{id}/about/{item}`: `{"lines": [{"label": …, "text": …}]}`.
    static let endpoint: PageEndpoint = { call in
        let about = try await PageGate(call: call).readPart(call.parameters[0]) { page in
            guard let key = ItemKey(call.parameters[1]),
                let (file, record) = try await page.fileAndRecord(key, call.speaking(page).language)
            else { throw SharePageRefusal.notFound }
            return FileAbout(page: page, file: file, record: record, language: call.speaking(page).language)
        }
        var response = Response.json(about.json)
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.vary] = "Accept-Language, Cookie"
        return response
    }

    /// A line that is not known is left out.
    var lines: [(label: String, text: String)] {
        [
            ("about.name", offered.savedName(type: savedType, language)), ("about.caption", file.caption),
            ("about.taken", taken), ("about.length", file.facts?.duration.map(FileFactsText.length)),
            ("about.pixels", pixels), ("about.size", size), ("about.camera", file.facts.flatMap(FileFactsText.camera)),
            ("about.lens", file.facts?.camera.lens), ("about.exposure", exposure), ("about.place", place),
            ("about.created", language.date(file.created)), ("about.by", adder),
        ].compactMap { key, text in text.map { (language.text(key), $0) } }
    }

    private var offered: OfferedFile { file.offered(by: page) }

    private var savedType: String { offered.download == .copy ? "image/jpeg" : file.asset.contentType }

    private var pixels: String? {
        file.imageSize.map { "\(language.number(Int64($0.width))) × \(language.number(Int64($0.height)))" }
    }

    private var taken: String? {
        file.facts?.taken.map { language.localTime($0.clock, zone: FileFactsText.zone(of: $0)) }
    }

    private var exposure: String? { file.facts.flatMap { FileFactsText.exposure($0, language) } }

    /// Only for whom the page shows places.
    private var place: String? {
        guard page.showsPlaces, let place = file.facts?.place?.reveal() else { return nil }
        return "\(language.number(place.latitude)), \(language.number(place.longitude))"
    }

    /// The bytes of what a visitor can download.
    private var size: String? {
        offered.download == .original ? language.size(file.asset.size) : nil
    }

    /// The person who made the record. Public pages name people only in their rule's lines.
    private var adder: String? {
        if case .shared(let tree) = page.kind { tree.name(ofUser: record.creator) } else { nil }
    }

    private var json: JSONWriter {
        var writer = JSONWriter()
        writer.object {
            $0.key("lines")
            $0.array {
                for line in lines {
                    $0.object {
                        $0.member("label", line.label)
                        $0.member("text", line.text)
                    }
                }
            }
        }
        return writer
    }
}
