package import CloudModel

/// Options of a change feed: the request's options, overridden per zone (reference A §8.3).
///
/// Parses the request's options once for all zones.
package struct ChangeOptions: Sendable {
    /// Records per page; nil for the maximum.
    package private(set) var limit: Int?
    /// Nil for all record types.
    package private(set) var recordTypes: Set<String>?
    private(set) var reverse = false
    private(set) var presentation = Presentation()
}

extension DatabaseCall {
    /// Parses the options in `object`, with `options` as defaults.
    package func options(of object: JSONObject, over options: ChangeOptions = ChangeOptions()) throws(ServerError)
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
        if let flag = try object.optionalFlag("reverse") { reverse = flag }
        presentation = try presentation.overridden(by: object)
    }

    private static func names(_ value: JSONValue) throws(ServerError) -> Set<String> {
        guard let names = value.array?.compactMap(\.string), names.count == value.array?.count else {
            throw .badRequest("desiredRecordTypes must be an array of strings, not \(known: value.kind)")
        }
        // Record type names are ASCII. Other names match no type, but Swift could compare them equal to each other.
        return Set(names.filter { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
}
