import CloudEngine
package import CloudModel
import CloudCrypto
import Foundation
import CloudSQL

/// Makes and reads sync tokens: opaque standard base64 of version, kind, incarnation, epoch with its start, scope, position
/// and checksum.
///
/// The checksum is keyed with the store's secret and covers the incarnation, so forged tokens and tokens of other servers or
/// containers are refused, never misread. The epoch belongs to the position: a token from a time lost by a restore is refused
/// for ever, and all others stay valid.
package struct SyncTokens: Sendable {
    let incarnation: Int64
    let secret: SymmetricKey

    private enum Kind: UInt8 {
        case zone = 1
        case zoneBackward = 2
        case database = 3
        case sharedZone = 4
        case keyValues = 5
    }

    private static let version: UInt8 = 2
    /// The version of tokens without epoch and start; their epoch is 0.
    private static let versionBeforeEpochs: UInt8 = 1
    private static let checksumSize = 8

    private var signer: TokenSigner { TokenSigner(key: secret, size: Self.checksumSize) }

    func zone(_ id: Int64, at position: ChangePosition, _ epochs: some EpochSource) throws -> String {
        switch position {
        case .forward(let position): try make(.zone, [id, position], at: position, epochs)
        case .backward(let floor, let cursor, let head):
            try make(.zoneBackward, [id, floor, cursor, head], at: max(floor, head), epochs)
        }
    }

    func sharedZone(_ id: Int64, at place: SharedPosition, _ epochs: some EpochSource) throws -> String {
        try make(.sharedZone, [id, place.position, place.number], at: place.position, epochs)
    }

    func database(owner: String, at position: Int64, _ epochs: some EpochSource) throws -> String {
        try make(.database, [Self.scope(owner), position], at: position, epochs)
    }

    func keyValues(user: String, at position: KeyValuePosition, _ epochs: some EpochSource) throws -> String {
        try make(
            .keyValues, [Self.scope(user), position.seen, position.start], at: max(position.seen, position.start),
            epochs)
    }

    /// - Throws: `BAD_REQUEST` with CloudKit's text for an invalid token (reference A §8.1).
    func position(zone id: Int64, _ token: String, _ db: SQLConnection) throws -> ChangePosition {
        if let token = read(token, .zone, count: 2) {
            try token.require(through: token.values[1], db)
            if token.values[0] == id { return .forward(token.values[1]) }
        } else if let token = read(token, .zoneBackward, count: 4) {
            try token.require(through: max(token.values[1], token.values[3]), db)
            if token.values[0] == id {
                return .backward(floor: token.values[1], cursor: token.values[2], head: token.values[3])
            }
        }
        throw Self.unknown
    }

    /// - Parameter joined: the position at which the zone became visible. Earlier tokens are refused.
    func place(sharedZone id: Int64, joined: Int64, _ token: String, _ db: SQLConnection) throws -> SharedPosition {
        guard let token = read(token, .sharedZone, count: 3) else { throw Self.unknown }
        try token.require(through: token.values[1], db)
        guard token.values[0] == id, token.values[1] >= joined else { throw Self.unknown }
        return SharedPosition(position: token.values[1], number: token.values[2])
    }

    func position(owner: String, _ token: String, _ db: SQLConnection) throws -> Int64 {
        guard let token = read(token, .database, count: 2) else { throw Self.unknown }
        try token.require(through: token.values[1], db)
        guard token.values[0] == Self.scope(owner) else { throw Self.unknown }
        return token.values[1]
    }

    /// Reads a key-value store's token. Tokens of other users or lost times are normal results here, not errors.
    func keyValuePlace(user: String, _ token: String, _ db: SQLConnection) throws -> KeyValueFeedStart {
        guard let token = read(token, .keyValues, count: 3), token.isOurs else { return .unknown }
        guard token.values[0] == Self.scope(user) else { return .anotherUser }
        let position = KeyValuePosition(seen: token.values[1], start: token.values[2])
        guard try token.standing(through: max(position.seen, position.start), db) == .kept else { return .unknown }
        return .at(position)
    }

    /// The error for an invalid token.
    package static let unknown = ServerError(
        .badRequest,
        "Unknown sync continuation type: the token is not from this zone as it is now; ask again without a token",
        .position(.unknown))

    // MARK: Bytes

    /// A decoded token.
    private struct Token {
        /// True if the checksum is valid and the incarnation is this file's.
        let isOurs: Bool
        let epoch: Int64
        let began: Timestamp
        let values: [Int64]

        func standing(through position: Int64, _ db: SQLConnection) throws -> EpochTable.Standing {
            try EpochTable.standing(of: position, epoch: epoch, began: began, db)
        }

        /// - Throws: `BAD_REQUEST` for a token from a lost time or from another file. Tokens from before an import fail the
        ///   checksum, but their error gives the time of the file's last change too.
        func require(through position: Int64, _ db: SQLConnection) throws {
            switch (isOurs, try standing(through: position, db)) {
            case (true, .kept): return
            case (false, _) where epoch == 0: throw SyncTokens.unknown
            case (false, .kept): throw Self.lost(try EpochTable.changed(db))
            case (_, .lost(let time)): throw Self.lost(time)
            }
        }

        private static func lost(_ restoredTo: Timestamp?) -> ServerError {
            ServerError(
                .badRequest,
                "Unknown sync continuation type: the token is from before the environment was restored; "
                    + "ask again without a token", .position(.lost),
                restoredTo: restoredTo)
        }
    }

    /// - Parameter position: the last position that the token covers.
    private func make(_ kind: Kind, _ values: [Int64], at position: Int64, _ epochs: some EpochSource) throws -> String
    {
        let epoch = try epochs.epoch(of: position)
        var bytes = [Self.version, kind.rawValue]
        for value in [incarnation, epoch?.id ?? 0, epoch?.began.milliseconds ?? 0] + values {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return Base64.encode(bytes + signer.signature(of: bytes))
    }

    /// - Returns: nil for other texts and other kinds of token.
    private func read(_ text: String, _ kind: Kind, count: Int) -> Token? {
        guard let bytes = Base64.decode(text), let version = bytes.first,
            version == Self.version || version == Self.versionBeforeEpochs
        else { return nil }
        let head = version == Self.version ? 3 : 1
        guard bytes.count == 2 + 8 * (count + head) + Self.checksumSize, bytes[1] == kind.rawValue else { return nil }
        let payload = Array(bytes.dropLast(Self.checksumSize))
        let numbers = (0..<count + head).map { index in
            payload[(2 + index * 8)..<(10 + index * 8)].reduce(0) { $0 << 8 | Int64($1) }
        }
        let isAuthentic = signer.isSignature(bytes.suffix(Self.checksumSize), of: payload)
        return Token(
            isOurs: isAuthentic && numbers[0] == incarnation, epoch: head == 3 ? numbers[1] : 0,
            began: Timestamp(milliseconds: head == 3 ? numbers[2] : 0), values: Array(numbers.dropFirst(head)))
    }

    private static func scope(_ owner: String) -> Int64 {
        SHA256.hash(data: Array(owner.utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
