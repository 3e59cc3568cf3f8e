/// The page of a record type in a browser, at `/share/{recordName}`.
///
/// Pages show world-readable records of the public database.
package struct PageRule: Hashable, Sendable {
    /// The record type of the rule's pages.
    package let recordType: String
    /// The heading; the record type replaces an empty heading.
    package let title: PageText
    /// Lines under the heading; a line without any present field is left out.
    package let lines: [PageText]
    /// The asset field of the page's own record, shown before the items.
    package let asset: String?
    package let items: PageItemsRule?
    /// True if the page offers downloads of its files.
    package let isDownloadable: Bool
    package let app: PageApp?

    /// Parses an operator's rule.
    ///
    /// - Throws: `BAD_REQUEST` with the faulty member.
    package init(_ json: JSONValue) throws(ServerError) {
        guard let object = json.object else {
            throw .badRequest("a page rule must be an object, not \(known: json.kind)")
        }
        let reader = RuleReader(object, path: "")
        try reader.refuseOthers(than: ["recordType", "title", "lines", "asset", "items", "downloadable", "app"])
        recordType = try reader.recordType("recordType")
        title = try reader.pageText("title")
        lines = try reader.pageTexts("lines", limit: 10)
        asset = try reader.field("asset")
        items = try reader.object("items").map { (object) throws(ServerError) in try PageItemsRule(object) }
        isDownloadable = try reader.flag("downloadable") ?? true
        app = try reader.object("app").map { (object) throws(ServerError) in try PageApp(object) }
    }

    /// The rule in its input form.
    package var json: JSONValue {
        .object(
            JSONObject(
                [
                    .init(key: "recordType", value: .string(recordType)),
                    .init(key: "title", value: title.json),
                    .init(key: "lines", value: .array(lines.map(\.json))),
                    asset.map { .init(key: "asset", value: .string($0)) },
                    items.map { .init(key: "items", value: $0.json) },
                    .init(key: "downloadable", value: .bool(isDownloadable)),
                    app.map { .init(key: "app", value: $0.json) },
                ].compactMap(\.self)))
    }
}
