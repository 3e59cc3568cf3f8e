import CloudModel
import Foundation
import Mustache

/// A table of the console: a heading, columns, and rows of cells.
struct Sheet {
    let title: String
    /// A remark beside the heading.
    var note = ""
    var columns: [Column]
    var rows: [[Cell]] = []
    /// The sentence in the place of an empty table: what would fill it.
    let empty: String
    /// How the addresses begin that its cells lead to.
    var way = ""
    /// Ways on from its heading.
    var links: [PageLink] = []
    /// The address of the next page; nil when this is the last.
    var next: String?
    /// The actions on chosen rows; nil for a table of which none can be chosen.
    var pick: Pick?
    /// Whether narrow screens show two lines per row only; the linked page shows the rest.
    var isBrief = false
    /// Whether columns that a narrow page has no room for are left out of it, the last ones first.
    var fits = false

    struct Pick {
        /// The fields of the form that chosen rows are sent with.
        let hidden: [FilledField]
        /// The fields that a bulk change can set.
        let fields: [String]
    }

    struct Column {
        let title: String
        /// The kind of values, under the title.
        var type = ""
        var isNumber = false
        /// The address behind the title, and the order that the column gives now.
        var sort: String?
        var order: String?
        /// Where its cells stand on a narrow screen; those of the first column begin the first line.
        var place = Place.below
        /// The class by which it is left out of pages without room for it; nil for one that stays.
        var fit: String?
    }

    /// A cell's place in a row that has two lines.
    enum Place {
        /// At the end of the first line.
        case late
        /// With the title of the column.
        case below
        case untitled
        /// Left out.
        case away
    }

    struct Cell {
        let text: String
        var link: String?
        /// Set in the fixed type that names, codes and JSON have.
        var isName = false
        var isNumber = false
        /// True for a sentence, which is not cut off.
        var isWhole = false
        /// A mark with a word: `good`, `warn`, `bad` or an environment.
        var badge: String?
        /// The row's button.
        var action: Action?
        /// The moment that the text tells.
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

        /// A number, or nothing for 0.
        static func amount(_ number: some BinaryInteger) -> Cell {
            Cell(number == 0 ? "" : Count.text(number), isNumber: true)
        }

        /// - Parameter quota: the most that there may be; nil for no bound.
        static func part(_ number: Int, of quota: Int?) -> Cell {
            Cell(Count.text(number) + (quota.map { " of \(Count.text($0))" } ?? ""), isNumber: true)
        }

        /// Bytes.
        static func size(_ bytes: Int, of quota: Int?) -> Cell {
            Cell(
                ByteCount.text(Int64(bytes)) + (quota.map { " of \(ByteCount.text(Int64($0)))" } ?? ""),
                isNumber: true)
        }

        /// A moment, which a page shows by its distance from now.
        static func time(_ moment: Timestamp?) -> Cell {
            var cell = Cell(moment?.inFull ?? "")
            cell.moment = moment
            return cell
        }
    }

    /// A form with one button.
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
