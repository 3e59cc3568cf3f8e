/// A text's QR code (ISO/IEC 18004) at error correction level M, which recovers 15 % damage.
package struct QRCode {
    /// The number of modules per side, 21 to 177.
    package let size: Int
    /// The modules row by row; true for dark.
    private(set) var modules: [Bool]

    package subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    /// - Returns: nil for a text of more than 2,331 bytes, the capacity of the largest code.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
        var canvas = QRCanvas(version)
        canvas.fill(QRCodewords.make(bytes, version))
        let best = QRMask.allCases.map(canvas.masked).min { $0.penalty < $1.penalty }
        guard let best else { return nil }
        (size, modules) = (version.size, best.modules)
    }

    /// The dark modules as an SVG path, one unit per module, with a quiet zone of four modules.
    package var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                guard self[row, column] else {
                    column += 1
                    continue
                }
                let run = (column..<size).prefix { self[row, $0] }.count
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h\(run)v1h-\(run)z"
                column += run
            }
        }
        return path
    }

    /// The drawing's side length, with the quiet zone.
    var edge: Int { size + 2 * Self.quietZone }

    private static let quietZone = 4
}
