import Mustache

/// Links, texts and tables of a page.
extension SharePageView {
    struct Link: PageView {
        let host: String
        let url: String
    }

    struct Text: PageView {
        /// Nil for a single text.
        let label: String?
        let text: String
    }

    struct Details: PageView {
        let rows: [LabelledText]
        let isFolded: Bool
    }

    struct Table: PageView {
        let name: String
        let columns: [String]
        let hasColumns: Bool
        let rows: [Row]
    }

    struct Row: PageView {
        let cells: [LabelledText]
    }
}

/// A text with its field's label. A page has up to twelve per record.
struct LabelledText: PageView, MustacheParent {
    let label: String
    let text: String

    var shown: Any? { self }

    func child(named name: String) -> Any? {
        switch name {
        case "label": label
        case "text": text
        default: nil
        }
    }
}
