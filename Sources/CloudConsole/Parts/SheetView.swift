import CloudPages
import CloudModel
import Mustache

/// A table as template values.
struct SheetView: PageView {
    let title: String
    let note: String?
    let hasLinks: Bool
    let links: [PageLink]
    let columns: [Column]
    let isBrief: Bool
    let fits: Bool
    let hasRows: Bool
    let rows: [Row]
    let empty: String
    let next: String?
    /// The form around the rows; nil if rows cannot be selected.
    let picks: Picks?

    struct Column: PageView {
        let title: String
        let type: String?
        /// The CSS classes for numbers and for the minimum page width.
        let classes: String?
        let sort: String?
        let order: String?
    }

    struct Picks: PageView {
        let hidden: [FilledField]
        let canSet: Bool
        let fields: [String]
    }

    /// - Parameter now: the base of relative times.
    init(_ sheet: Sheet, now: Timestamp) {
        title = sheet.title
        note = sheet.note.isEmpty ? nil : sheet.note
        hasLinks = !sheet.links.isEmpty
        links = sheet.links
        columns = sheet.columns.map {
            Column(
                title: $0.title, type: $0.type.isEmpty ? nil : $0.type,
                classes: [$0.isNumber ? "num" : nil, $0.fit].compactMap(\.self).joined(separator: " ").orNil,
                sort: $0.sort, order: $0.order)
        }
        isBrief = sheet.isBrief
        fits = sheet.fits
        hasRows = !sheet.rows.isEmpty
        rows = sheet.rows.map { row in
            Row(
                cells: zip(sheet.columns, row).enumerated().map {
                    Cell($1.1, of: $1.0, isFirst: $0 == 0, way: sheet.way, now: now)
                },
                pick: row.first?.pick, name: row.first?.text ?? "")
        }
        empty = sheet.empty
        next = sheet.next
        picks =
            sheet.rows.isEmpty
            ? nil
            : sheet.pick.map { Picks(hidden: $0.hidden, canSet: !$0.fields.isEmpty, fields: $0.fields) }
    }
}

extension String {
    fileprivate var orNil: String? { isEmpty ? nil : self }
}

extension Sheet.Place {
    /// The CSS class; nil for none.
    fileprivate var name: String? {
        switch self {
        case .late: "late"
        case .below: nil
        case .untitled: "untitled"
        case .away: "drop-cell"
        }
    }
}

extension SheetView {
    struct Row: PageView, MustacheParent {
        let cells: [Cell]
        /// The row's value in the selection form.
        let pick: String?
        let name: String

        var shown: Any? { self }

        func child(named name: String) -> Any? {
            switch name {
            case "cells": cells
            case "pick": pick
            case "name": self.name
            default: nil
            }
        }
    }

    struct Cell: PageView, MustacheParent {
        let text: String
        /// The column's title.
        let label: String
        /// The CSS classes for the place on narrow screens, for numbers and for the minimum page width.
        let classes: String?
        let isEmpty: Bool
        /// The prefix that many links of the table share, kept apart for packing; nil if the link has another prefix.
        let way: String?
        let link: String?
        let isName: Bool
        let isWhole: Bool
        /// Whether narrow columns may truncate the text.
        let isLong: Bool
        /// The tooltip.
        let hint: String?
        let badge: String?
        let action: Sheet.Action?
        /// The time that the text shows.
        let moment: ShownTime?

        init(_ cell: Sheet.Cell, of column: Sheet.Column, isFirst: Bool, way: String = "", now: Timestamp) {
            text = cell.text
            moment = cell.moment.map { ShownTime($0, now: now) }
            isEmpty = cell.text.isEmpty && cell.action == nil
            label = RepeatedText.marked(column.title)
            let place = isFirst ? "grow" : isEmpty ? Sheet.Place.away.name : column.place.name
            let names = [cell.isNumber ? "num" : nil, place, column.fit].compactMap(\.self)
            classes = names.isEmpty ? nil : names.joined(separator: " ")
            let isOnWay = !way.isEmpty && cell.link?.hasPrefix(way) == true
            self.way = isOnWay ? RepeatedText.marked(way) : nil
            link = isOnWay ? cell.link.map { String($0.dropFirst(way.count)) } : cell.link
            isName = cell.isName
            isWhole = cell.isWhole
            isLong = cell.text.count > Self.short
            hint = cell.title
            badge = cell.badge
            action = cell.action
        }

        /// Texts up to this length are never truncated.
        static let short = 20

        var shown: Any? { self }

        func child(named name: String) -> Any? {
            switch name {
            case "text": text
            case "label": label
            case "isEmpty": isEmpty
            case "way": way
            case "link": link
            case "isName": isName
            case "classes": classes
            case "isWhole": isWhole
            case "isLong": isLong
            case "hint": hint
            case "badge": badge
            case "action": action
            case "moment": moment?.shown
            default: nil
            }
        }
    }
}
