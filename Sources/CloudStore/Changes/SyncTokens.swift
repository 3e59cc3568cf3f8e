import CloudModel
import Crypto
import Foundation

/// Makes and reads sync tokens: opaque standard base64 of version, kind, incarnation, scope, position and checksum.
///
/// The checksum is keyed with the store's secret and covers the incarnation, so a token that was forged, comes from
/// another server or container, or was given out before a restore is refused and never misread.
struct SyncTokens: Sendable {
    let incarnation: Int64
    let secret: SymmetricKey

    private enum Kind: UInt8 {
        case zone = 1
        case zoneBackward = 2
        case database = 3
        case sharedZone = 4
        case keyValues = 5
    }

    private static let version: UInt8 = 1
    private static let checksumSize = 8

    func zone(_ id: Int64, at position: ChangePosition) -> String {
        switch position {
        case .forward(let position): make(.zone, [id, position])
        case .backward(let floor, let cursor, let head): make(.zoneBackward, [id, floor, cursor, head])
        }
    }

    func sharedZone(_ id: Int64, at place: SharedPlace) -> String {
        make(.sharedZone, [id, place.position, place.number])
    }

    func database(owner: String, at position: Int64) -> String {
        make(.database, [Self.scope(owner), position])
    }

    func keyValues(user: String, at position: KeyValuePosition) -> String {
        make(.keyValues, [Self.scope(user), position.seen, position.start])
    }

    /// - Throws: `BAD_REQUEST` with the text clients know for a token that says nothing here (reference A §8.1).
    /// - Parameter reached: the zone's last position. A token from beyond it was given out before the file was
    ///   replaced by an older copy.
    func position(zone id: Int64, reached: Int64 = .max, _ token: String) throws(ServerError) -> ChangePosition {
        if let values = read(token, .zone, count: 2), values[0] == id, values[1] <= reached {
            return .forward(values[1])
        }
        if let values = read(token, .zoneBackward, count: 4), values[0] == id {
            return .backward(floor: values[1], cursor: values[2], head: values[3])
        }
        throw Self.unknown
    }

    /// - Parameters:
    ///   - joined: when the zone became visible. A token from before that is of another time in it.
    ///   - reached: the database's last position.
    func place(sharedZone id: Int64, joined: Int64, reached: Int64, _ token: String) throws(ServerError) -> SharedPlace
    {
        guard let values = read(token, .sharedZone, count: 3), values[0] == id, values[1] >= joined,
            values[1] <= reached
        else { throw Self.unknown }
        return SharedPlace(position: values[1], number: values[2])
    }

    func position(owner: String, reached: Int64 = .max, _ token: String) throws(ServerError) -> Int64 {
        guard let values = read(token, .database, count: 2), values[0] == Self.scope(owner), values[1] <= reached
        else { throw Self.unknown }
        return values[1]
    }

    /// Where a token of a key-value store leads. Being of somebody else, or of another time, is no error there.
    ///
    /// - Parameter reached: the last position of the user's store.
    func keyValuePlace(user: String, reached: Int64, _ token: String) -> KeyValuePlace {
        guard let values = read(token, .keyValues, count: 3) else { return .unknown }
        guard values[0] == Self.scope(user) else { return .anotherUser }
        guard max(values[1], values[2]) <= reached else { return .unknown }
        return .at(KeyValuePosition(seen: values[1], start: values[2]))
    }

    private static let unknown = ServerError(
        .badRequest,
        "Unknown sync continuation type: the token is not from this zone as it is now; ask again without a token")

    // MARK: Bytes

    private func make(_ kind: Kind, _ values: [Int64]) -> String {
        var bytes = [Self.version, kind.rawValue]
        for value in [incarnation] + values {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return Base64.encode(bytes + checksum(bytes))
    }

    private func read(_ token: String, _ kind: Kind, count: Int) -> [Int64]? {
        guard let bytes = Base64.decode(token), bytes.count == 2 + 8 * (count + 1) + Self.checksumSize else {
            return nil
        }
        let payload = Array(bytes.dropLast(Self.checksumSize))
        guard payload[0] == Self.version, payload[1] == kind.rawValue,
            HMAC<SHA256>.authenticationCode(for: payload, using: secret).prefix(Self.checksumSize)
                .elementsEqual(bytes.suffix(Self.checksumSize))
        else { return nil }
        let values = (0...count).map { index in
            payload[(2 + index * 8)..<(10 + index * 8)].reduce(0) { $0 << 8 | Int64($1) }
        }
        return values[0] == incarnation ? Array(values.dropFirst()) : nil
    }

    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: secret).prefix(Self.checksumSize))
    }

    private static func scope(_ owner: String) -> Int64 {
        SHA256.hash(data: Array(owner.utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
