/// The members of a JSON object in the order received; keys are unique.
///
/// For a repeated key the last value replaces the first in place, as in JavaScript. Keys compare by their bytes.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The number of members up to which linear search beats a hash table.
    static let mostWalked = 16

    package private(set) var members: [Member] = []
    /// Member indexes by key; nil for small objects.
    private var places: [ExactName: Int]?

    /// True if the object has a hash table.
    var isIndexed: Bool { places != nil }

    package init() {}

    /// An object of these members; for repeated keys the last value wins.
    package init(_ members: [Member]) {
        reserveCapacity(members.count)
        for member in members { set(member) }
    }

    package static func == (left: JSONObject, right: JSONObject) -> Bool { left.members == right.members }

    package func hash(into hasher: inout Hasher) { hasher.combine(members) }

    /// The value under `key`; an explicit `null` counts as absent (reference A §1.3).
    package subscript(key: String) -> JSONValue? {
        guard let place = place(of: key), members[place].value != .null else { return nil }
        return members[place].value
    }

    /// Returns true if the key is present, even with the value `null`.
    package func contains(_ key: String) -> Bool { place(of: key) != nil }

    /// Sets a key's value, in place for an existing key, otherwise at the end.
    package mutating func set(_ key: String, _ value: JSONValue) { set(Member(key: key, value: value)) }

    mutating func set(_ member: Member) {
        if let place = place(of: member.key) {
            members[place] = member
        } else {
            places?[ExactName(member.key)] = members.count
            members.append(member)
            if places == nil, members.count > Self.mostWalked { index() }
        }
    }

    /// Reserves space for at most ``mostWalked`` members.
    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(min(count, Self.mostWalked)) }

    private func place(of key: String) -> Int? {
        if let places { return places[ExactName(key)] }
        return members.firstIndex { $0.key.isExactly(key) }
    }

    private mutating func index() {
        places = Dictionary(
            uniqueKeysWithValues: members.enumerated().map { (ExactName($0.element.key), $0.offset) })
    }
}
