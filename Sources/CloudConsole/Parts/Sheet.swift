import CloudWire
import CloudPages
import CloudModel
import Foundation
import Mustache

/// A console table: heading, columns and rows of cells.
struct Sheet {
    let title: String
    /// A remark beside the heading.
    var note = ""
    var columns: [Column]
    var rows: [[Cell]] = []
    /// The sentence shown instead of an empty table, which says how to fill it.
    let empty: String
    /// The common prefix of the links in cells.
    var way = ""
    /// Links beside the heading.
    var links: [PageLink] = []
    /// The address of the next page; nil on the last page.
    var next: String?
    /// The bulk actions on selected rows; nil if rows cannot be selected.
    var pick: Pick?
    /// Whether narrow screens show two lines per row only; the linked page shows the rest.
    var isBrief = false
    /// Whether columns are hidden on narrow pages, the last columns first.
    var fits = false

    struct Pick {
        /// The hidden fields sent with selected rows.
        let hidden: [FilledField]
        /// The fields that a bulk change can set.
        let fields: [String]
    }

    struct Column {
        let title: String
        /// The values' type, shown below the title.
        var type = ""
        var isNumber = false
        /// The address that sorts by this column, and the current sort order.
        var sort: String?
        var order: String?
        /// The place of the column's cells on narrow screens; the first column begins the first line.
        var place = Place.below
        /// The CSS class that hides the column on narrow pages; nil for a permanent column.
        var fit: String?
    }

    /// A cell's place in a two-line row.
    enum Place {
        /// At the end of the first line.
        case late
        /// Below, with the column's title.
        case below
        case untitled
        /// Hidden.
        case away
    }

    struct Cell {
        let text: String
        var link: String?
        /// Whether the text is monospaced, as for names, codes and JSON.
        var isName = false
        var isNumber = false
        /// True for a sentence, which is never truncated.
        var isWhole = false
        /// The style of a badge: `good`, `warn`, `bad` or an environment.
        var badge: String?
        /// The row's button.
        var action: Action?
        /// The time that the text shows.
        var moment: Timestamp?
        /// The row's value in the selection form; set in the first cell only.
        var pick: String?
        /// The tooltip.
        var title: String?

        init(
            _ text: String, link: String? = nil, isName: Bool = false, isNumber: Bool = false, isWhole: Bool = false,
            badge: String? = nil, action: Action? = nil
        ) {
            self.text = text
            self.link = link
            self.isName = isName
            self.isNumber = isNumber
            self.isWhole = isWhole
            self.badge = badge
            self.action = action
        }

        static func name(_ text: String, link: String? = nil) -> Cell { Cell(text, link: link, isName: true) }

        static func number(_ number: some BinaryInteger) -> Cell { Cell(Count.text(number), isNumber: true) }

        /// A number; empty for 0.
        static func amount(_ number: some BinaryInteger) -> Cell {
            Cell(number == 0 ? "" : Count.text(number), isNumber: true)
        }

        /// - Parameter quota: the largest permitted number; nil for unlimited.
        static func part(_ number: Int, of quota: Int?) -> Cell {
            Cell(Count.text(number) + (quota.map { " of \(Count.text($0))" } ?? ""), isNumber: true)
        }

        /// A number of bytes.
        static func size(_ bytes: Int, of quota: Int?) -> Cell {
            Cell(
                ByteCount.text(Int64(bytes)) + (quota.map { " of \(ByteCount.text(Int64($0)))" } ?? ""),
                isNumber: true)
        }

        /// A time, shown relative to now.
        static func time(_ moment: Timestamp?) -> Cell {
            var cell = Cell(moment?.inFull ?? "")
            cell.moment = moment
            return cell
        }
    }

    /// A form with a single button.
    struct Action: PageView, MustacheParent {
        let label: String
        let fields: [FilledField]

        init(label: String, fields: [(name: String, value: String)]) {
            self.label = label
            self.fields = fields.map(FilledField.init)
        }

        var shown: Any? { self }

        func child(named name: String) -> Any? {
            switch name {
            case "label": label
            case "fields": fields
            default: nil
            }
        }
    }
}
