import CloudAccounts
import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import CloudWire

/// `/share/{id}/zip`: all files, those of one day (`?day=`) or the chosen ones, as a zip.
enum PageZip {
    static let endpoint: PageEndpoint = { call in
        let (page, files) = try await files(call)
        let call = call.speaking(page)
        let day = try PageZipDays.day(call).map { Timestamp(wholeSeconds: Int64($0) * 86_400) }
        let title = page.title(call.language)
        let name = [title, day.map(call.language.date)].compactMap(\.self).joined(separator: " ")
        let visit = PageVisit(page, now: call.site.accounts.now) {
            try await PageGate(call: call).openPart(call.parameters[0])
        }
        let stream = ZipStream(page: page, files: files, title: title, visitor: call.client?.network) {
            file -> FileDownload? in
            let current = try await visit.page()
            guard current.showsPlaces || !page.showsPlaces, let found = try await current.file(file.key, call.language),
                found.asset.key == file.asset.key
            else { return nil }
            return found.offered(by: current).download
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip",
                .contentDisposition: ContentDisposition.text(isAttachment: true, name: FileNames.safe(name) + ".zip"),
                .cacheControl: "private, no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: stream.body())
    }

    /// The files that the visitor may have, in the order of the page, movies of Live Photos behind their stills.
    static func offered(_ call: PageCall) async throws -> (SharedPage, [PageFile]) {
        try await PageGate(call: call).readPart(call.parameters[0]) { page in
            guard page.isDownloadable else { throw SharePageRefusal.notFound }
            let files = try await page.allFiles(call.speaking(page).language, limits: call.site.limits)
            return (page, LivePairs.together(files.filter { $0.offered(by: page).download != nil }))
        }
    }

    /// The files that the visitor asks for and may have, in the order of the page.
    private static func files(_ call: PageCall) async throws -> (SharedPage, [GivenFile]) {
        let limits = call.site.limits
        let (page, found) = try await offered(call)
        var files = found
        if call.request.method == .post {
            try call.requireOwnOrigin()
            let (chosen, stills) = (Set(call.form.all("i")), LivePairs.find(files))
            files = files.filter { chosen.contains((stills[$0.key] ?? $0).key.mark) }
            guard !files.isEmpty else {
                throw PageError(.badRequest, Phrase("choose.nothing"), Phrase("choose.nothing.have"), .input)
            }
        } else if let day = try PageZipDays.day(call) {
            files = PageZipDays.files(of: day, among: files)
        }
        guard files.count <= limits.assets.perDownload else {
            throw SharePageRefusal.tooMany(limits.assets.perDownload, setting: "limit.filesPerDownload")
        }
        var given: [GivenFile] = []
        // Copies have no place.
        for file in files {
            let form =
                page.downloads == .originals
                ? try await file.offered(by: page).given() : GivenFile(file: file, removal: nil)
            if let form { given.append(form) }
        }
        guard !given.isEmpty else { throw SharePageRefusal.notFound }
        return (page, given)
    }
}
