/// What an authenticator signs (WebAuthn §6.1).
struct AuthenticatorData {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let attested = Flags(rawValue: 0x40)
        static let extended = Flags(rawValue: 0x80)
    }

    /// A new passkey.
    struct Attested {
        let model: [UInt8]
        let id: [UInt8]
        let key: PasskeyKey
    }

    private static let headSize = 37
    private static let longest = 16 * 1024
    static let longestID = 1023

    let bytes: [UInt8]
    let relyingPartyHash: [UInt8]
    let flags: Flags
    let signCount: UInt32
    let attested: Attested?

    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        guard bytes.count <= Self.longest else { throw .size }
        guard bytes.count >= Self.headSize else { throw .authenticatorData }
        self.bytes = bytes
        relyingPartyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var place = Self.headSize
        attested = flags.contains(.attested) ? try Self.attested(bytes, &place) : nil
        if flags.contains(.extended) { try Self.skipExtensions(bytes, &place) }
        guard place == bytes.count else { throw .trailingBytes }
    }

    private static func attested(_ bytes: [UInt8], _ place: inout Int) throws(PasskeyFault) -> Attested {
        let (modelSize, lengthSize) = (16, 2)
        guard bytes.count >= place + modelSize + lengthSize else { throw .authenticatorData }
        let model = Array(bytes[place..<place + modelSize])
        place += modelSize
        let size = Int(bytes[place]) << 8 | Int(bytes[place + 1])
        place += lengthSize
        guard (1...longestID).contains(size) else { throw .credentialID }
        guard bytes.count >= place + size else { throw .authenticatorData }
        let id = Array(bytes[place..<place + size])
        place += size
        var reader = CBORReader(bytes, from: place, isOrdered: true)
        let value: CBORValue
        do { value = try reader.next() } catch { throw .key }
        let key = try PasskeyKey(value, bytes: Array(bytes[place..<reader.place]))
        place = reader.place
        return Attested(model: model, id: id, key: key)
    }

    private static func skipExtensions(_ bytes: [UInt8], _ place: inout Int) throws(PasskeyFault) {
        var reader = CBORReader(bytes, from: place)
        let value: CBORValue
        do { value = try reader.next() } catch { throw .authenticatorData }
        guard value.map != nil else { throw .authenticatorData }
        place = reader.place
    }
}
