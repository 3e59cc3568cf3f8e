/// A QR code (ISO/IEC 18004) of a text, with error correction level M, which survives damage to 15 % of it.
struct QRCode {
    /// Modules along an edge: 21 to 177.
    let size: Int
    /// The modules row by row; true for a dark one.
    private(set) var modules: [Bool]

    subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    /// - Returns: nil for a text that has more bytes than the largest code holds, 2,331.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
        var canvas = QRCanvas(version)
        canvas.fill(QRCodewords.make(bytes, version))
        let best = QRMask.allCases.map(canvas.masked).min { $0.penalty < $1.penalty }
        guard let best else { return nil }
        (size, modules) = (version.size, best.modules)
    }

    /// The dark modules as the path of an SVG, a unit each, with the quiet zone of four modules around them.
    var path: String {
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

    /// The edge of the drawing, with the quiet zone.
    var edge: Int { size + 2 * Self.quietZone }

    private static let quietZone = 4
}
