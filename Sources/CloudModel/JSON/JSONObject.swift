/// The members of a JSON object in the order received, each key once.
///
/// A key given twice has its last value in its first place, as in JavaScript. Keys are compared by their bytes.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Members up to which a walk is quicker than a table.
    static let mostWalked = 16

    package private(set) var members: [Member] = []
    /// The places of the members by their keys; nil while there are few.
    private var places: [ExactName: Int]?

    /// True if members are found without a walk.
    var isIndexed: Bool { places != nil }

    package init() {}

    /// An object of these members; of a key given twice the last value counts.
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

    /// Returns true if the object has the key, also with the value `null`.
    package func contains(_ key: String) -> Bool { place(of: key) != nil }

    /// Gives a key a value, in the key's place if the object has it, else at the end.
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

    /// Makes room for a number of members, as far as that is known to be needed.
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
