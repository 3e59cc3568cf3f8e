import CloudSQL

/// The devices of a crowd message, packed as bytes: device row, message number and user of each.
struct CrowdDevices {
    struct Entry {
        let device: Int64
        let message: Int64
        /// The user record name, which tells a device from a later one with the same row number.
        let user: ArraySlice<UInt8>

        init(_ device: Int64, _ message: Int64, _ user: ArraySlice<UInt8>) {
            (self.device, self.message, self.user) = (device, message, user)
        }
    }

    private(set) var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ entries: [Entry]) {
        bytes = []
        bytes.reserveCapacity(entries.reduce(0) { $0 + Self.fixed + $1.user.count })
        for entry in entries {
            withUnsafeBytes(of: entry.device.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: entry.message.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: UInt16(clamping: entry.user.count).littleEndian) { bytes += $0 }
            bytes += entry.user
        }
    }

    /// Bytes of an entry without its user.
    private static let fixed = 18

    /// The first entry for which `body` returns true.
    func first(where body: (Entry) throws -> Bool) throws -> Entry? {
        var start = 0
        while let (entry, end) = try entry(at: start) {
            if try body(entry) { return entry }
            start = end
        }
        return nil
    }

    /// Splits the entries into chosen ones and the rest.
    func divided(by isChosen: (Entry) -> Bool) throws -> (chosen: [Entry], rest: CrowdDevices) {
        var (chosen, rest): ([Entry], [UInt8]) = ([], [])
        var start = 0
        while let (entry, end) = try entry(at: start) {
            if isChosen(entry) { chosen.append(entry) } else { rest += bytes[start..<end] }
            start = end
        }
        return (chosen, CrowdDevices(bytes: rest))
    }

    private func entry(at start: Int) throws -> (entry: Entry, end: Int)? {
        if start == bytes.count { return nil }
        let user = start + Self.fixed
        guard user <= bytes.count else { throw Self.damage }
        let (device, message, length) = bytes.withUnsafeBytes { bytes in
            (
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self)),
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)),
                Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self)))
            )
        }
        guard user + length <= bytes.count else { throw Self.damage }
        return (Entry(device, message, bytes[user..<user + length]), user + length)
    }

    private static let damage = SQLError(.damaged, "the devices of a message for many cannot be read")
}
