/// A request's options for records: desired fields, and numbers as strings (reference A §3.5, §4.1).
package struct Presentation: Hashable, Sendable {
    /// Nil selects every field. Unknown names are ignored.
    package var desiredKeys: Set<String>?
    package var numbersAsStrings = false

    package init(desiredKeys: Set<String>? = nil, numbersAsStrings: Bool = false) {
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }

    /// True if the stored JSON can be sent unchanged.
    package var isVerbatim: Bool { desiredKeys == nil && !numbersAsStrings }

    /// An item's options override the request's.
    package func overridden(by object: JSONObject) throws(ServerError) -> Presentation {
        var result = self
        if let keys = object["desiredKeys"] {
            guard let names = keys.array else {
                throw .badRequest("desiredKeys must be an array of field names, not \(known: keys.kind)")
            }
            var desired: Set<String> = []
            for name in names {
                guard let text = name.string else {
                    throw .badRequest("desiredKeys must hold strings, not \(known: name.kind)")
                }
                // Field names are ASCII. Swift's string equality would also match other spellings.
                if text.utf8.allSatisfy({ $0 < 0x80 }) { desired.insert(text) }
            }
            result.desiredKeys = desired
        }
        if let flag = object["numbersAsStrings"] ?? object["numberAsStrings"] {
            guard let value = flag.bool else {
                throw .badRequest("numbersAsStrings must be true or false, not \(known: flag.kind)")
            }
            result.numbersAsStrings = value
        }
        return result
    }
}
