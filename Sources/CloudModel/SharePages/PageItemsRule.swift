/// The rule for a page's items: which records qualify, and their visible fields.
package struct PageItemsRule: Hashable, Sendable {
    /// The link from an item to the page's record.
    package enum Join: Hashable, Sendable {
        /// A field of the item equals a field of the page's record; nil means the record's name.
        case field(String, equals: String?)
        /// A reference of the item to the page's record.
        case reference(String)
        /// The item's `parent` is the page's record.
        case parent
    }

    package let recordType: String
    package let join: Join
    /// True to include items by other users. In a public database any signed-in user can add items.
    package let isOpen: Bool
    /// The field to sort items by; nil sorts by creation.
    package let sortBy: String?
    package let isAscending: Bool
    /// The field that holds an item's file.
    package let asset: String?
    /// The text shown with an item.
    package let caption: PageText?

    init(_ object: JSONObject) throws(ServerError) {
        let reader = RuleReader(object, path: "items.")
        try reader.refuseOthers(than: ["recordType", "join", "anybody", "sortBy", "ascending", "asset", "caption"])
        recordType = try reader.recordType("recordType")
        guard let join = try reader.object("join") else { throw .badRequest("items.join: missing") }
        self.join = try Self.join(join)
        isOpen = try reader.flag("anybody") ?? false
        sortBy = try reader.field("sortBy")
        isAscending = try reader.flag("ascending") ?? true
        asset = try reader.field("asset")
        caption = try reader.optionalPageText("caption")
    }

    private static func join(_ object: JSONObject) throws(ServerError) -> Join {
        let reader = RuleReader(object, path: "items.join.")
        try reader.refuseOthers(than: ["field", "equals", "reference", "parent"])
        let ways = ["field", "reference", "parent"].filter { object[$0] != nil }
        guard ways.count == 1 else {
            throw .badRequest("items.join: needs exactly one of 'field', 'reference' and 'parent'")
        }
        if let field = try reader.field("field") { return .field(field, equals: try reader.field("equals")) }
        guard object["equals"] == nil else { throw .badRequest("items.join.equals: needs 'field'") }
        if let field = try reader.field("reference") { return .reference(field) }
        guard try reader.flag("parent") == true else { throw .badRequest("items.join.parent: can only be true") }
        return .parent
    }

    var json: JSONValue {
        .object(
            JSONObject(
                [
                    .init(key: "recordType", value: .string(recordType)),
                    .init(key: "join", value: joinJSON),
                    .init(key: "anybody", value: .bool(isOpen)),
                    sortBy.map { .init(key: "sortBy", value: .string($0)) },
                    .init(key: "ascending", value: .bool(isAscending)),
                    asset.map { .init(key: "asset", value: .string($0)) },
                    caption.map { .init(key: "caption", value: $0.json) },
                ].compactMap(\.self)))
    }

    private var joinJSON: JSONValue {
        let members: [JSONObject.Member?] =
            switch join {
            case .field(let field, let equals):
                [
                    .init(key: "field", value: .string(field)),
                    equals.map { .init(key: "equals", value: .string($0)) },
                ]
            case .reference(let field): [.init(key: "reference", value: .string(field))]
            case .parent: [.init(key: "parent", value: .bool(true))]
            }
        return .object(JSONObject(members.compactMap(\.self)))
    }
}
