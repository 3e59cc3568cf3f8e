import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import NIOCore

/// Some pictures and videos of a page, by their places in its order.
struct ItemWindow: Sendable {
    /// The places that a script asks for.
    struct Request {
        static let most = 200

        let from: Int
        let count: Int
        /// The mark or key of an item whose window is asked for; nil for one by its place.
        let item: String?
        /// The version that the script knows; nil for any.
        let version: String?

        /// - Throws: `BAD_REQUEST` with the faulty member and its limit.
        init(_ query: FormFields) throws {
            from = try Self.number(query, "from", in: 0...PageOrder.most) ?? 0
            count = try Self.number(query, "count", in: 1...Self.most) ?? Self.most
            item = query["item"]
            version = query["version"].flatMap { $0.isEmpty ? nil : $0 }
        }

        private static func number(_ query: FormFields, _ name: String, in range: ClosedRange<Int>) throws -> Int? {
            guard let text = query[name] else { return nil }
            guard let number = Int(text), range.contains(number) else {
                throw ServerError.badRequest(
                    "\(known: name): must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    private enum Answer: Sendable {
        case window(ItemWindow)
        /// The page has another version.
        case moved(String)
    }

    let from: Int
    let order: PageOrder
    let items: [Item]

    /// An item as the grid shows it.
    struct Item: Sendable {
        let file: PageFile
        let name: String
        /// The end of the address of a Live Photo's movie; empty for other items.
        let motion: String
        /// The kind of the original that the viewer shows on screens of high range; empty for other items.
        let hdr: String
        let canDownload: Bool
        let isKept: Bool
        let isChosen: Bool
    }

    /// `GET /share/{id}/items`.
    static let endpoint: PageEndpoint = { call in
        let request = try Request(call.query)
        let answer = try await PageGate(call: call).readPart(call.parameters[0]) { page in
            try await read(request, of: page, call)
        }
        var writer = JSONWriter(capacity: 32 << 10)
        var status = HTTPResponse.Status.ok
        switch answer {
        case .window(let window): window.write(to: &writer)
        case .moved(let version):
            status = .conflict
            writer.object { $0.member("version", version) }
        }
        return response(writer, status, isPacked: Gzip.isTaken(by: call.request))
    }

    private static func response(
        _ writer: JSONWriter, _ status: HTTPResponse.Status, isPacked: Bool
    ) -> Response {
        var response = Response.json(writer, status: status)
        if isPacked, let packed = Gzip.pack(ByteBuffer(bytes: writer.bytes)) {
            response = Response(
                status: status, headers: response.headers, body: ResponseBody(byteBuffer: packed))
            response.headers[.contentEncoding] = "gzip"
        }
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.vary] = "Accept-Encoding, Accept-Language, Cookie"
        return response
    }

    private static func read(_ request: Request, of page: SharedPage, _ call: PageCall) async throws -> Answer {
        let call = call.speaking(page)
        let (orders, limits) = (call.site.pageOrders, call.site.limits)
        let order = try await page.order(in: orders, limits: limits)
        guard !order.isCut else {
            throw ServerError.badRequest(
                "the page has more than \(PageOrder.most) items, too many for windows; read it in parts, by `after`")
        }
        if let version = request.version, version != order.version { return .moved(order.version) }
        guard request.from <= order.count else {
            throw ServerError.badRequest("from: must be at most \(order.count), the number of items")
        }
        var from = request.from
        if let item = request.item {
            guard let place = order.place(of: item) else {
                throw ServerError.badRequest("item: must be the mark or key of an item of the page")
            }
            from = place / request.count * request.count
        }
        let places = from..<min(from + request.count, order.count)
        var items: [Item] = []
        let views = FileViewBuilder(page: page, language: call.language)
        for part in order.parts(of: places) {
            let files = try await page.part(
                after: part.marker, call.language, orders: orders, limits: limits
            ).items
            guard files.count == part.count else {
                // A picture turned out to be broken since.
                orders.forget(page.orderKey)
                return .moved(try await page.order(in: orders, limits: limits).version)
            }
            for (place, file) in zip(part.start..., files) where places.contains(place) {
                items.append(views.item(file, place: place))
            }
        }
        return .window(ItemWindow(from: from, order: order, items: items))
    }

    private func write(to writer: inout JSONWriter) {
        writer.object { json in
            json.member("version", order.version)
            json.key("from")
            json.integer(Int64(from))
            json.key("count")
            json.integer(Int64(order.count))
            texts("keys", &json, \.file.key.text)
            texts("marks", &json, \.file.key.mark)
            texts("versions", &json, \.file.version)
            texts("names", &json, \.name)
            numbers("widths", &json) { $0.file.imageSize?.width ?? 0 }
            numbers("heights", &json) { $0.file.imageSize?.height ?? 0 }
            numbers("colors", &json) { $0.file.color.map { Int($0.number) } ?? -1 }
            numbers("days", &json, \.file.day)
            texts("motions", &json, \.motion)
            texts("hdr", &json, \.hdr)
            texts("lengths", &json) { $0.file.facts?.duration.map(FileFactsText.length) ?? "" }
            flags("videos", &json) { !$0.file.isPicture }
            flags("posters", &json, \.file.hasPoster)
            flags("captioned", &json) { $0.file.caption != nil }
            flags("downloads", &json, \.canDownload)
            flags("kept", &json, \.isKept)
            flags("chosen", &json, \.isChosen)
        }
    }

    private func texts(_ key: StaticString, _ json: inout JSONWriter, _ text: (Item) -> String) {
        json.key(key)
        json.array { for item in items { $0.string(text(item)) } }
    }

    private func numbers(_ key: StaticString, _ json: inout JSONWriter, _ number: (Item) -> Int) {
        json.key(key)
        json.array { for item in items { $0.integer(Int64(number(item))) } }
    }

    private func flags(_ key: StaticString, _ json: inout JSONWriter, _ isSet: (Item) -> Bool) {
        numbers(key, &json) { isSet($0) ? 1 : 0 }
    }
}

extension FileViewBuilder {
    func item(_ file: PageFile, place: Int) -> ItemWindow.Item {
        ItemWindow.Item(
            file: file, name: name(of: file, number: place + 1), motion: motion(of: file) ?? "",
            hdr: file.offered(by: page).brightOriginal ?? "",
            canDownload: download(of: file) != nil, isKept: isKept(file),
            isChosen: isChosen(file))
    }
}
