import CloudAssets
import CloudModel
import Foundation
import Synchronization

extension PreviewMaker {
    /// The bytes of a PNG of one pixel, at most.
    private static let mostBytes: Int64 = 4096

    /// The mean color of a tile, by a program that makes one pixel of it.
    ///
    /// - Parameters:
    ///   - tile: the path of the tile.
    ///   - program: the program without arguments.
    ///   - target: a path for the pixel, which is deleted.
    /// - Returns: nil if the program fails.
    func color(of tile: String, by program: ConfinedProgram, at target: String) async -> PictureColor? {
        defer { unlink(target) }
        var program = program
        program.arguments = ["stdin", "--size", "1x1!", "--output", ".png[compression=0,strip]"]
        program.bounds.output = Self.mostBytes
        guard let input = try? Self.open(tile, O_RDONLY),
            let output = try? Self.open(target, O_RDWR | O_CREAT | O_TRUNC)
        else { return nil }
        starts.add(1, ordering: .relaxed)
        guard await program.run(input: input, output: output) == .exited(0) else { return nil }
        guard (try? output.seek(toOffset: 0)) != nil, let pixel = try? output.read(upToCount: Int(Self.mostBytes))
        else {
            return nil
        }
        return PictureColor(png: Array(pixel))
    }
}

extension PictureColor {
    /// The color of a PNG's first pixel.
    ///
    /// - Returns: nil for other than 8 bits of gray or of red, green and blue, and for packed pixels.
    init?(png: [UInt8]) {
        guard png.starts(with: [0x89, 0x50, 0x4E, 0x47]), png.count > 26, png[24] == 8,
            let data = Self.data(of: png), data.count > 7, data[2] & 0b111 == 1
        else { return nil }
        // Behind the head of the stream, that of its only block and the row's filter, none of which changes a first pixel.
        let samples = Array(data.dropFirst(8))
        switch png[25] {
        case 0 where samples.count >= 1, 4 where samples.count >= 2:
            self.init(red: samples[0], green: samples[0], blue: samples[0])
        case 2 where samples.count >= 3, 6 where samples.count >= 4:
            self.init(red: samples[0], green: samples[1], blue: samples[2])
        default: return nil
        }
    }

    /// The first block of pixels.
    private static func data(of png: [UInt8]) -> [UInt8]? {
        var at = 8
        while at + 8 <= png.count {
            let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= png.count - at - 8 else { return nil }
            if png[at + 4..<at + 8].elementsEqual("IDAT".utf8) { return Array(png[at + 8..<at + 8 + length]) }
            at += 12 + length
        }
        return nil
    }
}
