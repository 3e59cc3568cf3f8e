import CloudModel
import CloudStore

/// The options of a change feed: those of the whole request, or with those of one zone over them (reference A §8.3).
///
/// Read once for the request: a list of names would otherwise be read again for each of its zones.
struct ChangeOptions: Sendable {
    /// Records in one page; nil for as many as there may be.
    private(set) var limit: Int?
    /// Nil for all.
    private(set) var recordTypes: Set<String>?
    private(set) var reverse = false
    private(set) var presentation = Presentation()
}

extension DatabaseCall {
    /// The options with those that `object` gives over them.
    func options(of object: JSONObject, over options: ChangeOptions = ChangeOptions()) throws(ServerError)
        -> ChangeOptions
    {
        try ChangeOptions(object, over: options, self)
    }
}

extension ChangeOptions {
    fileprivate init(_ object: JSONObject, over options: ChangeOptions, _ call: DatabaseCall) throws(ServerError) {
        self = options
        if object["resultsLimit"] != nil { limit = try call.resultsLimit(object) }
        if let value = object["desiredRecordTypes"] { recordTypes = try Self.names(value) }
        if let flag = try call.flag("reverse", in: object) { reverse = flag }
        presentation = try presentation.overridden(by: object)
    }

    private static func names(_ value: JSONValue) throws(ServerError) -> Set<String> {
        guard let names = value.array?.compactMap(\.string), names.count == value.array?.count else {
            throw .badRequest("desiredRecordTypes must be an array of strings, not \(known: value.kind)")
        }
        // No type has another name, and Swift takes some for the same that are not.
        return Set(names.filter { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
}
