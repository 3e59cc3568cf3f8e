package import CloudHTTP
import CloudModel

extension SharedPage {
    /// The heading of the page.
    package func title(_ language: PageLanguage) -> String {
        switch kind {
        case .published(let root, let rule):
            language.filled(rule.title, with: root) ?? root.recordType
        case .shared: ownTitle ?? language.text("share.untitled")
        }
    }

    /// The title of a share, or the name of its root record; nil if it has none.
    var ownTitle: String? {
        guard case .shared(let tree) = kind else { return nil }
        return tree.title ?? root.flatMap { PageWords.name(of: $0) }
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
        strings.compactMap { WebAddress($0.text) }.map {
            SharePageView.Link(host: $0.host, words: $0.shown, url: $0.link)
        }
    }

    /// Content texts; a single text gets no label.
    var texts: [SharePageView.Text] {
        let texts = strings.filter { Self.isContent($0.name, $0.text) && WebAddress($0.text) == nil }
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
            if field.type == "STRING", Self.isContent(field.name, text) || WebAddress(text) != nil { return nil }
            // Already in the heading.
            if text == page.title(language) { return nil }
            return value(field, FieldLabel.text(field.name), isFlag: FlagFields.isFlag(field.name, in: [root]))
        }
        guard !rows.isEmpty else { return nil }
        // Collapsed next to the main content.
        let isFolded = isBesideFiles || !texts.isEmpty || !links.isEmpty
        return SharePageView.Details(rows: rows, isFolded: isFolded)
    }

    /// Tables of the records without files, by record type.
    func tables(_ records: [PageRecord]) -> [SharePageView.Table] {
        if case .published(_, let rule) = page.kind, let caption = rule.items?.caption {
            let cells = records.compactMap { record in language.filled(caption, with: record) }
            let rows = cells.map { [LabelledText(label: "", text: $0)] }
            return rows.isEmpty
                ? [] : [Self.table(rule.items?.recordType ?? "", isOnly: true, columns: [""], rows: rows)]
        }
        let types = Set(records.map(\.recordType)).sorted()
        return types.compactMap { type in
            table(type, isOnly: types.count == 1, records.filter { $0.recordType == type })
        }
    }

    private func table(_ name: String, isOnly: Bool, _ records: [PageRecord]) -> SharePageView.Table? {
        var columns: [String] = []
        for field in records.flatMap(\.fields) where !columns.contains(field.name) && columns.count < 12 {
            columns.append(field.name)
        }
        guard !columns.isEmpty else { return nil }
        let shown = columns.map { (name: $0, label: FieldLabel.text($0), isFlag: FlagFields.isFlag($0, in: records)) }
        let rows = records.map { record in
            shown.map { value(record.field($0.name), $0.label, isFlag: $0.isFlag) }
        }
        return Self.table(name, isOnly: isOnly, columns: shown.map(\.label), rows: rows)
    }

    private static func table(
        _ name: String, isOnly: Bool, columns: [String], rows: [[LabelledText]]
    ) -> SharePageView.Table {
        let name = FieldLabel.text(name)
        return SharePageView.Table(
            name: name, heading: isOnly ? nil : name, columns: columns, hasColumns: columns != [""],
            rows: rows.map { SharePageView.Row(cells: $0) })
    }

    private func value(_ field: PageRecord.Field?, _ label: String, isFlag: Bool) -> LabelledText {
        if isFlag, let isTicked = field.flatMap(FlagFields.value) {
            return LabelledText(
                label: label, tick: language.text(isTicked ? "tick.yes" : "tick.no"), isTicked: isTicked)
        }
        return LabelledText(label: label, text: language.shown(field) ?? "")
    }

    private static func isContent(_ name: String, _ text: String) -> Bool {
        contents.contains(name.lowercased()) || text.contains("\n") || text.utf8.count > 200
    }
}
