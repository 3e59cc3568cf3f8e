/// The bytes to overwrite so that a file no longer tells where it was taken. All other bytes, and the length, stay.
package struct PlaceRemoval: Hashable, Sendable {
    package struct Patch: Hashable, Sendable {
        /// The position in the file.
        package let at: Int
        package let bytes: [UInt8]

        package init(at: Int, bytes: [UInt8]) {
            self.at = at
            self.bytes = bytes
        }
    }

    /// In order of position.
    package private(set) var patches: [Patch] = []
    /// False if the file may hold a place that was not found: broken or unread metadata, or a kind that is not understood.
    package internal(set) var isCertain = true

    /// - Parameter patches: in order of position.
    package init(_ patches: [Patch] = [], isCertain: Bool = true) {
        self.patches = patches
        self.isCertain = isCertain
    }

    /// True if a part of a file has bytes to overwrite.
    package func touches(_ range: Range<Int>) -> Bool {
        patches.contains { $0.at < range.upperBound && $0.at + $0.bytes.count > range.lowerBound }
    }

    /// Overwrites the part of a file that begins at `start`.
    package func apply(to bytes: inout [UInt8], at start: Int = 0) {
        for patch in patches {
            let part = (patch.at..<patch.at + patch.bytes.count).clamped(to: start..<start + bytes.count)
            for position in part { bytes[position - start] = patch.bytes[position - patch.at] }
        }
    }

    /// - Returns: the file without its place; nil if that is not certain.
    package static func withoutPlace(_ file: [UInt8]) -> [UInt8]? {
        guard let scan = MediaScan(MemorySource(file)), scan.removal.isCertain else { return nil }
        var bytes = file
        scan.removal.apply(to: &bytes)
        return bytes
    }

    mutating func add(_ range: Range<Int>, _ byte: UInt8) {
        add(range.lowerBound, [UInt8](repeating: byte, count: range.count))
    }

    mutating func add(_ at: Int, _ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        patches.append(Patch(at: at, bytes: bytes))
    }

    /// Overwrites a range of a block.
    mutating func add(_ range: Range<Int>, of block: Block, _ byte: UInt8) {
        for part in block.fileRanges(range) { add(part, byte) }
    }

    mutating func merge(_ other: PlaceRemoval) {
        patches += other.patches
        isCertain = isCertain && other.isCertain
    }

    mutating func sort() { patches.sort { $0.at < $1.at } }
}
