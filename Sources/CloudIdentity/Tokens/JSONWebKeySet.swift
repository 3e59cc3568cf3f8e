import CloudModel

/// A provider's keys (RFC 7517 §5).
///
/// Keys that Cumulus cannot use are left out: a provider may publish kinds that are new.
package struct JSONWebKeySet: Sendable {
    /// The reason why a whole set was refused.
    package enum Fault: String, Error, CaseIterable, Sendable {
        case size = "the set of keys is longer than 256 KB"
        case json = "the set of keys is not a JSON object"
        case duplicate = "the set of keys names a member twice"
        case keys = "the set of keys has no list of keys"
        case count = "the set has more than 100 keys"
    }

    /// The longest set, in bytes.
    package static let longest = 256 * 1024
    package static let mostKeys = 100

    package let keys: [JSONWebKey]
    /// Positions in the published list of keys that were left out, with the reasons.
    package let skipped: [(place: Int, fault: JSONWebKey.Fault)]

    package init(parsing bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.longest else { throw .size }
        let object: JSONObject
        do { object = try StrictJSON.object(bytes) } catch {
            switch error {
            case .malformed: throw .json
            case .duplicate: throw .duplicate
            }
        }
        guard let list = object["keys"]?.array else { throw .keys }
        guard list.count <= Self.mostKeys else { throw .count }
        var (keys, skipped) = ([JSONWebKey](), [(place: Int, fault: JSONWebKey.Fault)]())
        for (place, value) in list.enumerated() {
            do { keys.append(try Self.key(value, after: keys)) } catch { skipped.append((place, error)) }
        }
        (self.keys, self.skipped) = (keys, skipped)
    }

    private static func key(_ value: JSONValue, after others: [JSONWebKey]) throws(JSONWebKey.Fault) -> JSONWebKey {
        guard let object = value.object else { throw .member }
        let key = try JSONWebKey(object)
        let isRepeated = others.contains {
            $0.identity == key.identity && $0.id.map { ExactName($0) } == key.id.map { ExactName($0) }
                && $0.algorithm == key.algorithm
        }
        guard !isRepeated else { throw .repeated }
        return key
    }
}

extension JSONWebKeySet {
    /// The keys that may have signed a token, at least one.
    ///
    /// Several keys may share an id; without an id, each key that fits is taken.
    func keys(id: String?, for algorithm: SignatureAlgorithm) throws(TokenFault) -> [JSONWebKey] {
        let named = id.map { id in keys.filter { id.isExactly($0.id) } } ?? keys
        guard !named.isEmpty else { throw .unknownKey }
        let usable = named.filter(\.isForSignatures)
        guard !usable.isEmpty else { throw .keyUse }
        let fitting = usable.filter { $0.fits(algorithm) }
        guard !fitting.isEmpty else { throw .unfitKey }
        return fitting
    }
}
