import CloudModel

// Fields by the type of their property. The refusals of wrong values are those of `Arguments`.

extension InputField where Value == String {
    /// A required, nonempty text.
    static func text(
        _ name: String, _ property: InputProperty<Input, Value>, _ about: String,
        atMost limit: Int = Arguments.longestText
    ) -> Self {
        let parameter = Parameter(name: name, kind: .text(atMost: limit), about: about, isRequired: true)
        return Self(
            parameter, property, read: { try $0.text(name, atMost: limit) }, json: { .string($0) })
    }
}

extension InputField where Value == String? {
    static func text(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: name, kind: .text(atMost: Arguments.longestText), about: about)
        return Self(parameter, property, read: { try $0.optionalText(name) }, json: { $0.map(JSONValue.string) })
    }
}

extension InputField where Value == [String] {
    static func texts(
        _ name: String, _ property: InputProperty<Input, Value>, most: Int = 100, _ about: String
    ) -> Self {
        let kind = Parameter.Kind.list(.text(atMost: Arguments.longestText), most: most)
        return Self(
            Parameter(name: name, kind: kind, about: about), property, read: { try $0.texts(name, most: most) },
            json: { $0.isEmpty ? nil : .array($0.map(JSONValue.string)) })
    }
}

extension InputField where Value == Bool? {
    /// An optional Boolean.
    static func flag(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        Self(
            Parameter(name: name, kind: .flag, about: about), property, read: { try $0.flag(name) },
            json: { $0.map(JSONValue.bool) })
    }
}

extension InputField where Value == Bool {
    /// A Boolean with a default.
    static func flag(
        _ name: String, _ property: InputProperty<Input, Value>, or standard: Bool = false, _ about: String
    ) -> Self {
        Self(
            Parameter(name: name, kind: .flag, about: about, standard: .bool(standard)), property,
            read: { try $0.flag(name) ?? standard }, json: { $0 == standard ? nil : .bool($0) })
    }
}

extension InputField where Value == Int64? {
    static func number(
        _ name: String, _ property: InputProperty<Input, Value>, in range: ClosedRange<Int>, _ about: String
    ) -> Self {
        let range = Int64(range.lowerBound)...Int64(range.upperBound)
        return Self(
            Parameter(name: name, kind: .number(range), about: about), property,
            read: { try $0.number(name, in: range) }, json: { $0.map(JSONValue.integer) })
    }
}

extension InputField where Value == Int64 {
    /// A number with a default.
    static func number(
        _ name: String, _ property: InputProperty<Input, Value>, in range: ClosedRange<Int>, or standard: Int,
        _ about: String
    ) -> Self {
        let (range, standard) = (Int64(range.lowerBound)...Int64(range.upperBound), Int64(standard))
        return Self(
            Parameter(name: name, kind: .number(range), about: about, standard: .integer(standard)), property,
            read: { try $0.number(name, in: range) ?? standard }, json: { $0 == standard ? nil : .integer($0) })
    }

    /// A required row ID.
    static func id(_ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: "id", kind: .number(1...Int64.max), about: about, isRequired: true)
        return Self(parameter, property, read: { try $0.id() }, json: { .integer($0) })
    }
}

extension InputField where Value == ContainerEnvironment {
    static func environment(_ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let choices = ContainerEnvironment.allCases.map(\.rawValue)
        let parameter = Parameter(name: "environment", kind: .choice(choices), about: about, isRequired: true)
        return Self(parameter, property, read: { try $0.environment() }, json: { .string($0.rawValue) })
    }
}

extension InputField where Value == ContainerEnvironment? {
    static func environment(_ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let choices = ContainerEnvironment.allCases.map(\.rawValue)
        return Self(
            Parameter(name: "environment", kind: .choice(choices), about: about), property,
            read: { $0.has("environment") ? try $0.environment() : nil }, json: { $0.map { .string($0.rawValue) } })
    }
}

extension InputField where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of an enumeration's texts.
    ///
    /// - Parameters:
    ///   - standard: the value if the argument is left out; without it the argument is required.
    ///   - allowed: the texts in a refusal; nil lists them with "or" before the last.
    static func choice(
        _ name: String, _ property: InputProperty<Input, Value>, or standard: Value? = nil, _ about: String,
        allowed: String? = nil
    ) -> Self {
        let choices = Value.allCases.map(\.rawValue)
        let allowed = allowed ?? choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
        let parameter = Parameter(
            name: name, kind: .choice(choices), about: about, isRequired: standard == nil,
            standard: standard.map { .string($0.rawValue) })
        return Self(parameter, property) { arguments in
            if let standard, !arguments.has(name) { return standard }
            let text = standard == nil ? try arguments.text(name) : try arguments.optionalText(name) ?? ""
            guard let value = Value(rawValue: text) else {
                throw ServerError.badRequest("\(known: name) must be \(known: allowed), not '\(Naming.shown(text))'")
            }
            return value
        } json: {
            .string($0.rawValue)
        }
    }
}

extension InputField {
    /// One of an enumeration's texts, or nothing.
    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ property: InputProperty<Input, Value>, _ about: String
    ) -> Self where Value == Choice?, Choice.RawValue == String {
        let choices = Choice.allCases.map(\.rawValue)
        return Self(Parameter(name: name, kind: .choice(choices), about: about), property) { arguments in
            guard let text = try arguments.optionalText(name) else { return nil }
            guard let value = Choice(rawValue: text) else {
                let allowed = choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
                throw ServerError.badRequest("\(known: name) must be \(known: allowed), not '\(Naming.shown(text))'")
            }
            return value
        } json: {
            $0.map { .string($0.rawValue) }
        }
    }
}

extension InputField where Value == JSONValue {
    /// A required JSON value; the operation judges its content.
    static func json(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: name, kind: .object, about: about, isRequired: true)
        return Self(parameter, property) { arguments in
            guard let json = arguments[name] else { throw ServerError.badRequest("\(known: name) is missing") }
            return json
        } json: {
            $0
        }
    }
}

extension InputField where Value == JSONValue? {
    /// A JSON value that may be left out; the operation judges its content.
    static func json(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        Self(
            Parameter(name: name, kind: .object, about: about), property, read: { $0[name] }, json: { $0 })
    }
}

extension InputField where Value == JSONObject {
    static func object(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: name, kind: .object, about: about, isRequired: true)
        return Self(parameter, property) { arguments in
            guard let object = arguments[name]?.object else {
                throw ServerError.badRequest("\(known: name) must be an object")
            }
            return object
        } json: {
            .object($0)
        }
    }
}

extension InputField where Value == [JSONValue] {
    /// A required array; the operation judges its elements.
    static func objects(_ name: String, _ property: InputProperty<Input, Value>, _ about: String) -> Self {
        let parameter = Parameter(name: name, kind: .objects, about: about, isRequired: true)
        return Self(parameter, property) { arguments in
            guard let array = arguments[name]?.array else {
                throw ServerError.badRequest("\(known: name) must be an array")
            }
            return array
        } json: {
            .array($0)
        }
    }
}
