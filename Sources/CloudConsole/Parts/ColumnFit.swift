import CloudPages

/// Hides columns on narrow pages, so that wide tables need no scrolling.
struct ColumnFit {
    /// The container widths of the style sheet's breakpoints, in rem.
    private static let widths = [38.0, 50, 60, 72, 86, 104]

    /// - Parameter all: the address of the page with every column.
    /// - Returns: the sheet with a minimum page width for each column.
    static func fitted(_ sheet: Sheet, all: String) -> Sheet {
        var sheet = sheet
        sheet.fits = true
        // The record name and the modification time always stay; the remaining width goes to the first fields.
        let last = sheet.columns.count - 2
        let order = [0, last] + (1..<sheet.columns.count).filter { $0 != last }
        // The checkboxes, and the padding at both ends.
        var width = 3.65
        var fit: String?
        for index in order {
            width += self.width(of: index, in: sheet)
            fit = mark(width)
            sheet.columns[index].fit = [0, last].contains(index) ? nil : fit
        }
        if let fit { sheet.links = [PageLink(label: "All columns", address: all, fit: "all \(fit)")] }
        return sheet
    }

    /// The CSS class that hides content below a table width; nil if the content fits any table.
    private static func mark(_ width: Double) -> String? {
        guard width > widths[0] else { return nil }
        return widths.first { width <= $0 }.map { "fit-\(Int($0))" } ?? "fit-more"
    }

    /// The minimum width of a column in rem, with padding; long texts are truncated.
    private static func width(of index: Int, in sheet: Sheet) -> Double {
        let column = sheet.columns[index]
        let longest =
            sheet.rows.map { cell in
                cell[index].moment == nil ? min(cell[index].text.count, SheetView.Cell.short) : 10
            }.max() ?? 0
        // Empty cells show "none".
        return max(Double(max(longest, 4)) * 0.46, Double(column.title.count) * 0.5, Double(column.type.count) * 0.38)
            + 1.1
    }
}
