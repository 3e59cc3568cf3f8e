import Mustache

/// Links, texts and tables of a page.
extension SharePageView {
    package struct Link: PageView {
        /// The host in ASCII.
        package let host: String
        /// The address with the host in ASCII.
        package let words: String
        package let url: String

        package init(host: String, words: String, url: String) {
            self.host = host
            self.words = words
            self.url = url
        }
    }

    package struct Text: PageView {
        /// Nil for a single text.
        package let label: String?
        package let text: String
        /// The text in pieces if it has links; otherwise empty.
        package let pieces: [Piece]

        init(label: String?, text: String) {
            (self.label, self.text) = (label, text)
            pieces = Piece.pieces(text)
        }
    }

    /// A part of a text: plain, or a link to a web address.
    package struct Piece: PageView, MustacheParent {
        package let words: String
        package let link: String?

        package var shown: Any? { self }

        package func child(named name: String) -> Any? {
            switch name {
            case "words": words
            case "link": link
            default: nil
            }
        }

        static func pieces(_ text: String) -> [Piece] {
            LinkedText.pieces(text).map { Piece(words: $0.text, link: $0.link) }
        }
    }

    package struct Details: PageView {
        package let rows: [LabelledText]
        let isFolded: Bool
    }

    package struct Table: PageView {
        package let name: String
        /// Nil for the only table of a page.
        package let heading: String?
        package let columns: [String]
        let hasColumns: Bool
        package let rows: [Row]

        package init(name: String, heading: String?, columns: [String], hasColumns: Bool, rows: [Row]) {
            self.name = name
            self.heading = heading
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

/// A value with its field's label. A page has up to twelve per record.
package struct LabelledText: PageView, MustacheParent {
    package let label: String
    package let text: String
    /// The text in pieces if it has links; otherwise empty.
    package let pieces: [SharePageView.Piece]
    /// A truth value in words; nil for a text.
    package let tick: String?
    let isTicked: Bool

    package init(label: String, text: String) {
        (self.label, self.text, tick, isTicked) = (label, text, nil, false)
        pieces = SharePageView.Piece.pieces(text)
    }

    /// A truth value, shown as a box with or without a tick.
    init(label: String, tick: String, isTicked: Bool) {
        (self.label, self.tick, self.isTicked) = (label, tick, isTicked)
        (text, pieces) = ("", [])
    }

    package var shown: Any? { self }

    package func child(named name: String) -> Any? {
        switch name {
        case "label": label
        case "text": text
        case "pieces": pieces.shown
        case "tick": tick
        case "isTicked": isTicked
        default: nil
        }
    }
}
