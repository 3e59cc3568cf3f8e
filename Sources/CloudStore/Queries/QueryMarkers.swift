import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto

/// Makes and reads continuation markers: the sort keys of a page's last record, with a checksum that binds the marker to its
/// query, zone and server (reference A §5.2).
struct QueryMarkers {
    let secret: SymmetricKey
    /// A text that identifies the query. Computed on demand, since most queries need no marker.
    let scope: () -> String

    /// A record's sort keys, its id last.
    typealias SortKeys = [SQLValue]

    private static let checksumSize = 12

    func make(_ keys: SortKeys) -> String {
        var writer = JSONWriter(capacity: 128)
        writer.array { for key in keys { $0.value(key.json) } }
        return Base64.encode(signer.signature(of: signed(writer.bytes)) + writer.bytes)
    }

    func read(_ marker: String, keys count: Int) throws(ServerError) -> SortKeys {
        guard let bytes = Base64.decode(marker), bytes.count > Self.checksumSize,
            case let payload = Array(bytes.dropFirst(Self.checksumSize)),
            signer.isSignature(bytes.prefix(Self.checksumSize), of: signed(payload)),
            case .array(let keys)? = try? JSONParser.parse(payload), keys.count == count
        else {
            throw .badRequest(
                "continuationMarker does not belong to this query; ask again without one", .position(.unknown))
        }
        return keys.map(SQLValue.init(json:))
    }

    private var signer: TokenSigner { TokenSigner(key: secret, size: Self.checksumSize) }

    private func signed(_ payload: [UInt8]) -> [UInt8] { Array(scope().utf8) + [0] + payload }
}

extension SQLValue {
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        // An engine may return text as bytes, and numbers as bytes of its own.
        case .blob(let bytes):
            String(validating: bytes, as: UTF8.self).map(JSONValue.string)
                ?? .array([.null, .string(Base64.encode(bytes))])
        case .integer(let integer): .integer(integer)
        // Text keeps all bits of a real, and tells it from an integer.
        case .real(let real): .array([.string(String(real.bitPattern))])
        case .text(let text): .string(text)
        }
    }

    fileprivate init(json: JSONValue) {
        switch json {
        case .integer(let integer): self = .integer(integer)
        case .string(let text): self = .text(text)
        case .array(let parts) where parts.count == 2:
            self = parts[1].string.flatMap(Base64.decode).map(SQLValue.blob) ?? .null
        case .array(let parts):
            self = parts.first?.string.flatMap { UInt64($0) }.map { .real(Double(bitPattern: $0)) } ?? .null
        default: self = .null
        }
    }
}
