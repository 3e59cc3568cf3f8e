import CloudModel

/// Comma-separated values (RFC 4180).
enum CSV {
    struct Cell: Hashable {
        let text: String
        /// Distinguishes an empty text (quoted) from no value (unquoted and empty).
        let isQuoted: Bool
    }

    /// The rows of a text, without empty lines.
    ///
    /// - Throws: `BAD_REQUEST` for an unclosed quote.
    static func rows(_ text: String) throws(ServerError) -> [[Cell]] {
        var (rows, row): ([[Cell]], [Cell]) = ([], [])
        var (cell, isQuoted, isOpen): ([UInt8], Bool, Bool) = ([], false, false)
        let bytes = Array(text.utf8)
        func endCell() {
            row.append(Cell(text: String(decoding: cell, as: UTF8.self), isQuoted: isQuoted))
            (cell, isQuoted) = ([], false)
        }
        func endRow() {
            endCell()
            if row != [Cell(text: "", isQuoted: false)] { rows.append(row) }
            row = []
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            switch byte {
            case quote where isOpen && next == quote:
                cell.append(quote)
                index += 1
            case quote where isOpen: isOpen = false
            case _ where isOpen: cell.append(byte)
            case quote where cell.isEmpty: (isOpen, isQuoted) = (true, true)
            case UInt8(ascii: ","): endCell()
            case UInt8(ascii: "\r") where next == UInt8(ascii: "\n"): break
            case UInt8(ascii: "\n"): endRow()
            default: cell.append(byte)
            }
            index += 1
        }
        guard !isOpen else { throw .badRequest("row \(rows.count + 1): a quote is not closed") }
        endRow()
        return rows
    }

    private static let quote = UInt8(ascii: "\"")

    /// - Parameter cells: nil for no value.
    static func line(_ cells: [String?]) -> String {
        cells.map { $0.map(written) ?? "" }.joined(separator: ",") + "\r\n"
    }

    private static func written(_ text: String) -> String {
        guard text.isEmpty || text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) || text.first == " " else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    // MARK: Texts

    /// Characters that start a formula in spreadsheets, and the quote mark that escapes them.
    private static let formulas = "=+-@\t\r'"

    /// The text with a quote mark in front if a spreadsheet would run it as a formula. For texts of unknown origin.
    static func harmless(_ text: String) -> String { isMarked(text) || isFormula(text) ? "'" + text : text }

    /// The inverse of ``harmless(_:)``.
    static func original(_ text: String) -> String { isMarked(text) ? String(text.dropFirst()) : text }

    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first.map { $0 != "'" && formulas.unicodeScalars.contains($0) } ?? false
    }

    private static func isMarked(_ text: String) -> Bool {
        let start = text.unicodeScalars.prefix(2)
        return start.count == 2 && start.first == "'" && formulas.unicodeScalars.contains(start.last ?? " ")
    }
}
