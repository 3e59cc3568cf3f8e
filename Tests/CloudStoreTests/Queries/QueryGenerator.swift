import CloudModel
import TestStore

/// Makes records with ties and gaps, and questions about them.
struct QueryGenerator {
    enum Kind { case text, whole, real, mixed, reference, phrase, place, moment, name, user }

    struct Field {
        let name: String
        let kind: Kind
        var isList = false
        /// The wire's tag; nil sends the value bare.
        var tag: String?
    }

    static let fields = [
        Field(name: "s", kind: .text, tag: "STRING"), Field(name: "i", kind: .whole, tag: "INT64"),
        Field(name: "d", kind: .real, tag: "DOUBLE"), Field(name: "t", kind: .whole, tag: "TIMESTAMP"),
        Field(name: "n", kind: .mixed), Field(name: "r", kind: .reference, tag: "REFERENCE"),
        Field(name: "ls", kind: .text, isList: true, tag: "STRING_LIST"),
        Field(name: "li", kind: .whole, isList: true, tag: "INT64_LIST"),
        Field(name: "ln", kind: .mixed, isList: true),
        Field(name: "lr", kind: .reference, isList: true, tag: "REFERENCE_LIST"),
        Field(name: "w", kind: .phrase, tag: "STRING"), Field(name: "p", kind: .place, tag: "LOCATION"),
        Field(name: "q", kind: .place, tag: "LOCATION"),
    ]
    /// The fields that every record has without a client's doing.
    static let systemFields = [
        Field(name: "___createTime", kind: .moment), Field(name: "___modTime", kind: .moment),
        Field(name: "___recordID", kind: .name), Field(name: "___createdBy", kind: .user),
    ]
    /// The fields whose words are kept, once made.
    static let searchable = ["s", "w"]
    static let zones = [ZoneID.notes, ZoneID(name: "Other", owner: "_alice")]
    private static let noZone = ZoneID(name: "Nowhere", owner: "_alice")
    private static let texts = ["", "a", "ab", "abc", "b", "Z", "é", "éa", "🏔", "a\u{0}b"]
    private static let phrases = [
        "the red fox", "Red Fox and fœtus", "rød", "München Straße", "STRASSE of munchen", "fox 12", "東京 fox", "of the",
        "",
    ]
    private static let searches = ["RED", "fox", "munchen strasse", "rod", "the 12 京", "ab", "nothing", "fœtus é"]
    /// The words of all these texts.
    static let words = [
        "": "", "a": "", "ab": "ab", "abc": "abc", "b": "b", "Z": "z", "é": "e", "éa": "ea", "🏔": "🏔", "a\u{0}b": "b",
        "the red fox": "red fox", "Red Fox and fœtus": "red fox foetus", "rød": "rod",
        "München Straße": "munchen strasse", "STRASSE of munchen": "strasse munchen", "fox 12": "fox 12",
        "東京 fox": "東 京 fox", "of the": "", "RED": "red", "fox": "fox", "munchen strasse": "munchen strasse",
        "rod": "rod", "the 12 京": "12 京", "nothing": "nothing", "fœtus é": "foetus e",
    ]
    /// Numbers around the ends of the precision of fractions and of whole numbers.
    private static let wholes: [Int64] = [
        9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_993, -9_007_199_254_740_993, .max, .min,
    ]
    private static let reals: [Double] = [
        -0.0, 9_007_199_254_740_992, -9_007_199_254_740_992, 9.2233720368547758e18, 1e300, .leastNonzeroMagnitude,
    ]
    /// Around the poles, the date line and one town, and some that are alone.
    private static let positions = [
        (90, 0), (89.999, 17), (89.998, -170), (-90, 5), (-89.7, 100), (0.2, 180), (0.2, -180), (0.21, 179.97),
        (0.25, -179.96), (50.03, 8.57), (50.0301, 8.5702), (50.1, 8.7), (49.9, 8.2), (-33.9, 151.2), (0, 0),
        (12.3, -45.6),
    ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    private static let distances = [0.5, 60, 1_234.5, 9_000, 40_000, 300_000, 5_000_000, 15_000_000, 30_000_000]

    /// True if queries ask for system fields too: those of records made by ``record(_:zone:isComplete:)`` and stamped.
    var asksForSystemFields = false
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func cell(_ kind: Kind) -> PlainCell {
        switch kind {
        case .text: .text(Self.texts.randomElement(using: &generator) ?? "")
        case .phrase: .text(Self.phrases.randomElement(using: &generator) ?? "")
        case .moment: .whole(Self.moments.randomElement(using: &generator) ?? 0)
        case .name, .user: .text(["_alice", "_bob", "0-1", "0-7", "1-3", "9"].randomElement(using: &generator) ?? "")
        case .place: .whole(0)
        case .reference: .reference(["x", "y", "z"].randomElement(using: &generator) ?? "x", zone: someZone())
        case .whole: whole()
        case .real: real()
        case .mixed: Bool.random(using: &generator) ? whole() : real()
        }
    }

    /// A value that a field of a kind may be compared with.
    private mutating func operand(_ kind: Kind) -> PlainCell {
        switch (kind, cell(kind)) {
        case (.real, _) where Int.random(in: 0..<4, using: &generator) == 0: whole()
        case (.name, .text(let name)): .reference(name, zone: someZone())
        case (_, let cell): cell
        }
    }

    private mutating func someZone() -> ZoneID? {
        guard Bool.random(using: &generator) else { return nil }
        return (Self.zones + [Self.noZone]).randomElement(using: &generator)
    }

    private mutating func whole() -> PlainCell {
        let isSmall = Int.random(in: 0..<5, using: &generator) > 0
        return .whole(
            isSmall ? Int64.random(in: -3...3, using: &generator) : Self.wholes.randomElement(using: &generator) ?? 0)
    }

    private mutating func real() -> PlainCell {
        let isSmall = Int.random(in: 0..<5, using: &generator) > 0
        return .real(
            isSmall
                ? Double(Int.random(in: -4...4, using: &generator)) / 2
                : Self.reals.randomElement(using: &generator) ?? 0)
    }

    /// The creation times of records, in milliseconds.
    static let moments: [Int64] = [1_700_000_000_000, 1_700_000_001_000, 1_700_000_002_000]

    private mutating func position() -> Coordinate {
        Self.positions.randomElement(using: &generator) ?? Coordinate(latitude: 0, longitude: 0)
    }

    /// - Parameter isComplete: has every field, which is what makes the schema.
    mutating func record(_ name: String, zone: ZoneID, isComplete: Bool) -> PlainRecord {
        var values: [String: PlainRecord.Value] = [:]
        for field in Self.fields where isComplete || Int.random(in: 0..<4, using: &generator) > 0 {
            if field.kind == .place {
                values[field.name] = .place(position())
                continue
            }
            guard field.isList else {
                values[field.name] = .one(cell(field.kind))
                continue
            }
            let count = isComplete ? 2 : Int.random(in: 0...3, using: &generator)
            let cells = (0..<count).map { _ in cell(field.kind) }
            // An empty list says nothing of its type unless a tag does.
            if field.tag != nil || count > 0 { values[field.name] = .many(cells) }
        }
        return PlainRecord(name: name, zone: zone, values: values)
    }

    mutating func query() -> PlainQuery {
        let count = Int.random(in: 0..<40, using: &generator) == 0 ? 20 : Int.random(in: 0...2, using: &generator)
        let filters = (0..<count).map { _ in filter() }
        let sortable = fields.filter { !$0.isList }.shuffled(using: &generator)
        let sorts = sortable.prefix(Int.random(in: 0...3, using: &generator)).map { field in
            let ascending = Bool.random(using: &generator)
            return PlainQuery.Sort(
                field: field.name, ascending: ascending, origin: field.kind == .place ? position() : nil)
        }
        return PlainQuery(filters: filters, sorts: Array(sorts))
    }

    private mutating func filter() -> PlainQuery.Filter {
        let field = fields.randomElement(using: &generator) ?? Self.fields[0]
        if field.kind == .place {
            let distance = Self.distances.randomElement(using: &generator) ?? 1
            return PlainQuery.Filter(field: field.name, comparator: .near, center: position(), distance: distance)
        }
        if field.kind == .phrase { return search(field.name) }
        let usable = Comparator.allCases.filter {
            $0.appliesToLists == field.isList && (!$0.isPrefix || field.kind == .text)
                && !$0.isTextSearch && $0 != .near
        }
        let comparator = usable.randomElement(using: &generator) ?? .equals
        let count = comparator.takesMany ? Int.random(in: 1...3, using: &generator) : 1
        return PlainQuery.Filter(
            field: field.name, comparator: comparator, operands: (0..<count).map { _ in operand(field.kind) })
    }

    private var fields: [Field] { Self.fields + (asksForSystemFields ? Self.systemFields : []) }

    /// For words of one field, or of all.
    private mutating func search(_ field: String) -> PlainQuery.Filter {
        let comparator: Comparator = Bool.random(using: &generator) ? .containsAllTokens : .containsAnyTokens
        let count = Int.random(in: 1...2, using: &generator)
        return PlainQuery.Filter(
            field: Bool.random(using: &generator) ? field : "", comparator: comparator,
            operands: (0..<count).map { _ in .text(Self.searches.randomElement(using: &generator) ?? "fox") })
    }
}
