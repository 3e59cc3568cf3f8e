/// A box of an MP4 in memory.
struct FilmBox {
    /// Thrown for boxes that no film of ffmpeg's has.
    struct Broken: Error {}

    let type: String
    /// With its header of 8 bytes.
    let whole: ArraySlice<UInt8>

    private static let header = 8
    /// The largest number of boxes beside each other.
    private static let most = 1000

    /// The boxes that follow each other in some bytes.
    static func all(_ bytes: ArraySlice<UInt8>) throws -> [FilmBox] {
        var (boxes, rest) = ([FilmBox](), bytes)
        while !rest.isEmpty {
            let length = Int(try number(rest, at: 0, 4))
            guard length >= header, length <= rest.count, boxes.count < most else { throw Broken() }
            boxes.append(FilmBox(type: type(rest.dropFirst(4).prefix(4)), whole: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    static func type(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: Unicode.ASCII.self) }

    /// Reads a number whose first byte comes first.
    static func number(_ bytes: ArraySlice<UInt8>, at: Int, _ length: Int) throws -> UInt64 {
        guard at >= 0, at + length <= bytes.count else { throw Broken() }
        return bytes.dropFirst(at).prefix(length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    var body: ArraySlice<UInt8> { whole.dropFirst(Self.header) }

    func word(_ at: Int) throws -> UInt32 { UInt32(try Self.number(body, at: at, 4)) }

    /// The first box of a type inside this one.
    func child(_ type: String) throws -> FilmBox {
        guard let child = try Self.all(body).first(where: { $0.type == type }) else { throw Broken() }
        return child
    }

    /// The bytes of the box with another number in its body.
    func replacing(_ at: Int, by number: UInt32) throws -> [UInt8] {
        var bytes = Array(whole)
        guard at + 4 <= body.count else { throw Broken() }
        bytes.replaceSubrange(Self.header + at..<Self.header + at + 4, with: Self.big(number))
        return bytes
    }

    static func make(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        big(UInt32(header + parts.reduce(0) { $0 + $1.count })) + Array(type.utf8) + parts.flatMap(\.self)
    }

    static func big(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
}
