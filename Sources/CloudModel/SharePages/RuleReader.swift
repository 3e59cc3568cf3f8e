/// Reads the members of a page rule; errors name the faulty member by its path.
struct RuleReader {
    let object: JSONObject
    let path: String

    init(_ object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    /// Refuses unknown members: a misspelt member would silently leave out part of the page.
    func refuseOthers(than known: Set<String>) throws(ServerError) {
        for member in object.members where !known.contains(member.key) {
            throw .badRequest(
                "\(known: path)\(Naming.shown(member.key)): unknown member; known are \(known: known.sorted().joined(separator: ", "))"
            )
        }
    }

    func text(_ key: String) throws(ServerError) -> String {
        guard let text = try optionalText(key) else {
            throw .badRequest("\(known: path)\(known: key): missing; it must be a string")
        }
        guard !text.isEmpty else { throw .badRequest("\(known: path)\(known: key): must not be empty") }
        return text
    }

    func optionalText(_ key: String) throws(ServerError) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else {
            throw .badRequest("\(known: path)\(known: key): must be a string, not \(known: value.kind)")
        }
        return text
    }

    func flag(_ key: String) throws(ServerError) -> Bool? {
        guard let value = object[key] else { return nil }
        guard let flag = value.bool else {
            throw .badRequest("\(known: path)\(known: key): must be true or false, not \(known: value.kind)")
        }
        return flag
    }

    func object(_ key: String) throws(ServerError) -> JSONObject? {
        guard let value = object[key] else { return nil }
        guard let object = value.object else {
            throw .badRequest("\(known: path)\(known: key): must be an object, not \(known: value.kind)")
        }
        return object
    }

    func texts(_ key: String, limit: Int) throws(ServerError) -> [String] {
        var texts: [String] = []
        for element in try elements(key, limit: limit) {
            guard let text = element.string else {
                throw .badRequest("\(known: path)\(known: key): must hold strings, not \(known: element.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    private func elements(_ key: String, limit: Int) throws(ServerError) -> [JSONValue] {
        guard let value = object[key] else { return [] }
        guard let elements = value.array else {
            throw .badRequest("\(known: path)\(known: key): must be an array, not \(known: value.kind)")
        }
        guard elements.count <= limit else {
            throw .badRequest(
                "\(known: path)\(known: key): has \(elements.count) elements, at most \(limit) are allowed",
                .limit(limit))
        }
        return elements
    }

    /// A text, or one for each of several languages.
    func pageText(_ key: String) throws(ServerError) -> PageText {
        guard let text = try optionalPageText(key) else {
            throw .badRequest("\(known: path)\(known: key): missing; it must be a string or an object of languages")
        }
        return text
    }

    func optionalPageText(_ key: String) throws(ServerError) -> PageText? {
        try object[key].map { (value) throws(ServerError) in try PageText(value, path: "\(path)\(key)") }
    }

    func pageTexts(_ key: String, limit: Int) throws(ServerError) -> [PageText] {
        try elements(key, limit: limit).enumerated().map { (place, value) throws(ServerError) in
            try PageText(value, path: "\(path)\(key)[\(place)]")
        }
    }

    func recordType(_ key: String) throws(ServerError) -> String {
        let name = try text(key)
        if let fault = Naming.fault(recordType: name) { throw .badRequest("\(known: path)\(known: key): \(fault)") }
        return name
    }

    func field(_ key: String) throws(ServerError) -> String? {
        guard let name = try optionalText(key) else { return nil }
        if let fault = Naming.fault(fieldName: name) { throw .badRequest("\(known: path)\(known: key): \(fault)") }
        return name
    }
}
