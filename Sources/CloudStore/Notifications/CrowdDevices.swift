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

    init(_ places: [Entry]) {
        bytes = []
        bytes.reserveCapacity(places.reduce(0) { $0 + Self.fixed + $1.user.count })
        for place in places {
            withUnsafeBytes(of: place.device.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: place.message.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: UInt16(clamping: place.user.count).littleEndian) { bytes += $0 }
            bytes += place.user
        }
    }

    /// Bytes of a place without its user.
    private static let fixed = 18

    /// The first place for which `body` returns true.
    func first(where body: (Entry) throws -> Bool) throws -> Entry? {
        var start = 0
        while let (place, end) = try place(at: start) {
            if try body(place) { return place }
            start = end
        }
        return nil
    }

    /// Splits the places into chosen ones and the rest.
    func divided(by isChosen: (Entry) -> Bool) throws -> (chosen: [Entry], rest: CrowdDevices) {
        var (chosen, rest): ([Entry], [UInt8]) = ([], [])
        var start = 0
        while let (place, end) = try place(at: start) {
            if isChosen(place) { chosen.append(place) } else { rest += bytes[start..<end] }
            start = end
        }
        return (chosen, CrowdDevices(bytes: rest))
    }

    private func place(at start: Int) throws -> (place: Entry, end: Int)? {
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
