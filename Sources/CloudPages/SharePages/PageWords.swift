package import CloudHTTP
import CloudModel
import Foundation

extension SharedPage {
    /// The heading of the page.
    package func title(_ language: PageLanguage) -> String {
        switch kind {
        case .published(let root, let rule):
            rule.title.filled { language.shown(root.field($0)) } ?? root.recordType
        case .shared(let tree): tree.title ?? root.flatMap { PageWords.name(of: $0) } ?? language.text("share.untitled")
        }
    }

}

/// Derives texts, links and tables for pages without a page rule.
struct PageWords {
    let page: SharedPage
    let language: PageLanguage

    /// Names of fields with content, as opposed to attributes.
    private static let contents: Set<String> = [
        "caption", "content", "text", "body", "note", "notes", "message", "description",
    ]
    private static let names = ["title", "name", "displayName", "label", "firstName", "givenName"]

    /// The record's name, from a field such as `title`.
    static func name(of record: PageRecord) -> String? {
        names.lazy.compactMap { record.field($0)?.value.string }.first { !$0.isEmpty && $0.utf8.count <= 200 }
    }

    /// A picture's caption: the record's name and its content fields.
    static func caption(of record: PageRecord) -> String? {
        var words = [name(of: record)].compactMap(\.self)
        words += record.fields.compactMap { field in
            guard field.type == "STRING", let text = field.value.string, contents.contains(field.name.lowercased())
            else { return nil }
            return text
        }
        let caption = words.filter { !$0.isEmpty }.joined(separator: " – ")
        return caption.isEmpty ? nil : String(caption.prefix(longestCaption))
    }

    private static let longestCaption = 500

    /// The shared root record; nil on a page with a rule.
    private var root: PageRecord? {
        if case .shared(let tree) = page.kind { tree.root } else { nil }
    }

    /// Web addresses, labelled with their hosts.
    var links: [SharePageView.Link] {
        strings.filter { Self.isWebAddress($0.text) }
            .map {
                SharePageView.Link(host: URL(string: $0.text)?.host(percentEncoded: false) ?? $0.text, url: $0.text)
            }
    }

    /// Content texts; a single text gets no label.
    var texts: [SharePageView.Text] {
        let texts = strings.filter { Self.isContent($0.name, $0.text) && !Self.isWebAddress($0.text) }
        return texts.map { text in
            SharePageView.Text(label: texts.count > 1 ? FieldLabel.text(text.name) : nil, text: text.text)
        }
    }

    private var strings: [(name: String, text: String)] {
        (root?.fields ?? []).compactMap { field in
            guard field.type == "STRING", let text = field.value.string, !text.isEmpty else { return nil }
            return (field.name, text)
        }
    }

    /// The remaining fields of the shared record; nil if there are none.
    ///
    /// - Parameter isBesideFiles: true if the page shows files, its main content.
    func details(isBesideFiles: Bool) -> SharePageView.Details? {
        guard let root else { return nil }
        let rows = root.fields.compactMap { field -> LabelledText? in
            guard field.assets.isEmpty, let text = language.shown(field) else { return nil }
            if field.type == "STRING", Self.isContent(field.name, text) || Self.isWebAddress(text) { return nil }
            // Already in the heading.
            if text == page.title(language) { return nil }
            return LabelledText(label: FieldLabel.text(field.name), text: text)
        }
        guard !rows.isEmpty else { return nil }
        // Collapsed next to the main content.
        let isFolded = isBesideFiles || !texts.isEmpty || !links.isEmpty
        return SharePageView.Details(rows: rows, isFolded: isFolded)
    }

    /// Tables of the records without files, by record type.
    func tables(_ records: [PageRecord]) -> [SharePageView.Table] {
        if case .published(_, let rule) = page.kind, let caption = rule.items?.caption {
            let cells = records.compactMap { record in caption.filled { language.shown(record.field($0)) } }
            return cells.isEmpty
                ? [] : [Self.table(rule.items?.recordType ?? "", columns: [""], rows: cells.map { [$0] })]
        }
        return Set(records.map(\.recordType)).sorted().compactMap { type in
            table(type, records.filter { $0.recordType == type })
        }
    }

    private func table(_ name: String, _ records: [PageRecord]) -> SharePageView.Table? {
        var columns: [String] = []
        for field in records.flatMap(\.fields) where !columns.contains(field.name) && columns.count < 12 {
            columns.append(field.name)
        }
        guard !columns.isEmpty else { return nil }
        let rows = records.map { record in columns.map { language.shown(record.field($0)) ?? "" } }
        return Self.table(name, columns: columns.map(FieldLabel.text), rows: rows)
    }

    private static func table(_ name: String, columns: [String], rows: [[String]]) -> SharePageView.Table {
        SharePageView.Table(
            name: FieldLabel.text(name), columns: columns, hasColumns: columns != [""],
            rows: rows.map { row in SharePageView.Row(cells: zip(columns, row).map(LabelledText.init)) })
    }

    private static func isContent(_ name: String, _ text: String) -> Bool {
        contents.contains(name.lowercased()) || text.contains("\n") || text.utf8.count > 200
    }

    /// Allows `http` and `https` only: other schemes could harm visitors.
    static func isWebAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let url = URL(string: text), let scheme = url.scheme?.lowercased(), url.host()?.isEmpty == false
        else { return false }
        return scheme == "http" || scheme == "https"
    }
}
