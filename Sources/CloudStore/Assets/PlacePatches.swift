import CloudMedia

/// The stored form of the bytes that remove a place.
///
/// Each patch is its distance from the end of the last one, twice its length, and the byte that fills it; with 1 added to
/// the length, the bytes themselves. Numbers have 7 bits a byte, the lowest first.
enum PlacePatches {
    /// More patches, or more bytes of them, are in no file that a camera wrote.
    static let (most, longest) = (4096, 256 << 10)
    private static let mostPatched = 8 << 20

    /// Nil for too many patches, and for patches that overlap.
    static func encode(_ patches: [PlaceRemoval.Patch]) -> [UInt8]? {
        guard patches.count <= most, patches.reduce(0, { $0 + $1.bytes.count }) <= mostPatched else { return nil }
        var (bytes, end): ([UInt8], Int) = ([], 0)
        for patch in patches {
            guard patch.at >= end else { return nil }
            write(patch.at - end, to: &bytes)
            let fill = patch.bytes[0]
            if patch.bytes.allSatisfy({ $0 == fill }) {
                write(patch.bytes.count << 1, to: &bytes)
                bytes.append(fill)
            } else {
                write(patch.bytes.count << 1 | 1, to: &bytes)
                bytes += patch.bytes
            }
            end = patch.at + patch.bytes.count
            guard bytes.count <= longest else { return nil }
        }
        return bytes
    }

    /// Nil for damaged bytes.
    static func decode(_ bytes: [UInt8]) -> [PlaceRemoval.Patch]? {
        var (rest, patches, end): (ArraySlice<UInt8>, [PlaceRemoval.Patch], Int) = (bytes[...], [], 0)
        while !rest.isEmpty {
            guard let gap = read(&rest), let length = read(&rest) else { return nil }
            let count = length >> 1
            guard (1...mostPatched).contains(count), gap <= Int.max >> 2 - end else { return nil }
            let filled = length & 1 == 0
            let own = rest.prefix(filled ? 1 : count)
            guard let fill = own.first, own.count == (filled ? 1 : count) else { return nil }
            rest = rest.dropFirst(own.count)
            patches.append(
                .init(at: end + gap, bytes: filled ? [UInt8](repeating: fill, count: count) : Array(own)))
            end += gap + count
        }
        return patches
    }

    private static func write(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(number)
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func read(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst() {
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return Int(exactly: number) }
            shift += 7
            if shift > 56 { return nil }
        }
        return nil
    }
}
