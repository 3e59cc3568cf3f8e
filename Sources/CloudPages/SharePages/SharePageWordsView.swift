import Mustache

/// Links, texts and tables of a page.
extension SharePageView {
    package struct Link: PageView {
        package let host: String
        package let url: String

        package init(host: String, url: String) {
            self.host = host
            self.url = url
        }
    }

    package struct Text: PageView {
        /// Nil for a single text.
        package let label: String?
        package let text: String
    }

    package struct Details: PageView {
        package let rows: [LabelledText]
        let isFolded: Bool
    }

    package struct Table: PageView {
        package let name: String
        package let columns: [String]
        let hasColumns: Bool
        package let rows: [Row]

        package init(name: String, columns: [String], hasColumns: Bool, rows: [Row]) {
            self.name = name
            self.columns = columns
            self.hasColumns = hasColumns
            self.rows = rows
        }
    }

    package struct Row: PageView {
        package let cells: [LabelledText]

        package init(cells: [LabelledText]) {
            self.cells = cells
        }
    }
}

/// A text with its field's label. A page has up to twelve per record.
package struct LabelledText: PageView, MustacheParent {
    package let label: String
    package let text: String

    package var shown: Any? { self }

    package func child(named name: String) -> Any? {
        switch name {
        case "label": label
        case "text": text
        default: nil
        }
    }
}
