@testable import CloudPages
import TestCloud
import Foundation
import Glibc
import TestProcess
import Testing

/// QR codes, as another program reads them.
@Suite(.timeLimit(.minutes(5)))
struct QRCodeTests {
    /// Lengths around the ends of versions, and the longest text.
    @Test("zbar reads a QR code of each size", arguments: [1, 14, 15, 62, 106, 122, 180, 287, 700, 1500, 2331])
    func decoded(length: Int) async throws {
        let letters = Array("otpauth://totp/abcXYZ0123456789?secret=&issuer%20")
        let text = String((0..<length).map { letters[($0 * 31 + length) % letters.count] })
        let code = try #require(QRCode(text))
        #expect(try await QRPicture.read(Self.picture(of: code)) == [text])
    }

    @Test("Non-ASCII text in a QR code is readable")
    func unicode() async throws {
        let text = "Grüße, 東京, 🎈"
        #expect(try await QRPicture.read(Self.picture(of: try #require(QRCode(text)))) == [text])
    }

    @Test("A text too long for a QR code has none, and codes are as small as possible")
    func sizes() {
        #expect(QRCode(String(repeating: "a", count: 2332)) == nil)
        #expect([0, 14, 15, 26, 27].map { QRCode(String(repeating: "a", count: $0))?.size } == [21, 21, 25, 25, 29])
        #expect(
            (1...40).allSatisfy {
                QRVersion(number: $0).dataCodewords > QRVersion(number: max(1, $0 - 1)).dataCodewords || $0 == 1
            })
    }

    @Test("Each mask gives a readable QR code, and the mask with the lowest penalty is used")
    func masks() async throws {
        let text = "https://cloud.example.com/console"
        let version = try #require(QRVersion.smallest(for: text.utf8.count))
        var canvas = QRCanvas(version)
        canvas.fill(QRCodewords.make(Array(text.utf8), version))
        let all = QRMask.allCases.map(canvas.masked)
        for masked in all {
            #expect(try await QRPicture.read(Self.picture(masked.modules, size: version.size)) == [text])
        }
        #expect(all.min { $0.penalty < $1.penalty }?.modules == QRCode(text)?.modules)
    }

    @Test("The drawing has one square for each dark module, inside the quiet zone")
    func drawing() throws {
        let code = try #require(QRCode("a"))
        #expect(code.edge == 29 && code.path.hasPrefix("M4 4h7v1h-7z"))
        let dark = code.path.matches(of: #/h([0-9]+)v1/#).compactMap { Int($0.output.1) }.reduce(0, +)
        #expect(dark == code.modules.count { $0 })
    }

    static func picture(of code: QRCode) -> Data { picture(code.modules, size: code.size) }

    /// A code as a portable grey map.
    private static func picture(_ modules: [Bool], size: Int) -> Data {
        let (scale, quiet) = (4, 4)
        let edge = (size + 2 * quiet) * scale
        var pixels = [UInt8](repeating: 255, count: edge * edge)
        for (index, isDark) in modules.enumerated() where isDark {
            let (row, column) = ((index / size + quiet) * scale, (index % size + quiet) * scale)
            for line in row..<row + scale {
                for place in column..<column + scale { pixels[line * edge + place] = 0 }
            }
        }
        return Data("P5\n\(edge) \(edge)\n255\n".utf8) + pixels
    }
}
