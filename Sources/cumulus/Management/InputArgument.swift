import ArgumentParser
import CloudModel
import CloudOperations

/// An argument, option or flag of a command, made from a property of an operation's input.
///
/// Its name, type and sentence are the property's. A command may give it another name or sentence, and a default.
struct InputArgument<Input: OperationInput>: Sendable {
    typealias Values = KeyedDecodingContainer<ArgumentName>

    let name: ArgumentName
    let parameter: Parameter?
    /// The parser's definition.
    let definition: @Sendable () -> any Decodable
    /// Sets the property to the parsed value.
    let take: @Sendable (Values, inout InputDraft<Input>) throws -> Void

    private init<Value, Wrapper: Decodable & SendableMetatype>(
        _ property: InputProperty<Input, Value>, named name: String?, help: String?,
        _ define: @escaping @Sendable (ArgumentHelp) -> Wrapper,
        take: @escaping @Sendable (Wrapper, inout InputDraft<Input>) -> Void
    ) {
        let parameter = Input.fields.parameter(property)
        let key = ArgumentName(name ?? parameter?.name ?? "")
        let help = ArgumentHelp(help ?? parameter?.about ?? "")
        self.name = key
        self.parameter = parameter
        definition = { define(help) }
        self.take = { take(try $0.decode(Wrapper.self, forKey: key), &$1) }
    }

    // MARK: Arguments

    static func argument<Value: ExpressibleByArgument & Sendable>(
        _ property: InputProperty<Input, Value>, named name: String? = nil, help: String? = nil
    ) -> Self {
        Self(property, named: name, help: help) {
            Argument<Value>(help: $0)
        } take: {
            $1.set(property, to: $0.wrappedValue)
        }
    }

    static func argument<Value: ExpressibleByArgument & Sendable>(
        _ property: InputProperty<Input, Value?>, help: String? = nil
    ) -> Self {
        Self(property, named: nil, help: help) {
            Argument<Value?>(help: $0)
        } take: {
            $1.set(property, to: $0.wrappedValue)
        }
    }

    /// An argument whose text only the operation judges.
    static func argument<Value>(text property: InputProperty<Input, Value>, help: String? = nil) -> Self {
        Self(property, named: nil, help: help) {
            Argument<String>(help: $0)
        } take: {
            $1.set(property, json: .string($0.wrappedValue))
        }
    }

    // MARK: Options

    /// - Parameter standard: the value without the option; without a default the option is required.
    static func option<Value: ExpressibleByArgument & Sendable>(
        _ property: InputProperty<Input, Value>, or standard: Value? = nil, help: String? = nil
    ) -> Self {
        Self(property, named: nil, help: help) { help in
            standard.map { Option(wrappedValue: $0, help: help) } ?? Option<Value>(help: help)
        } take: {
            $1.set(property, to: $0.wrappedValue)
        }
    }

    static func option<Value: ExpressibleByArgument & Sendable>(
        _ property: InputProperty<Input, Value?>, help: String? = nil
    ) -> Self {
        Self(property, named: nil, help: help) {
            Option<Value?>(help: $0)
        } take: {
            $1.set(property, to: $0.wrappedValue)
        }
    }

    /// An option whose text only the operation judges.
    static func option<Value>(text property: InputProperty<Input, Value>, or standard: String) -> Self {
        Self(property, named: nil, help: nil) {
            Option<String>(wrappedValue: standard, help: $0)
        } take: {
            $1.set(property, json: .string($0.wrappedValue))
        }
    }

    /// An option whose text only the operation judges; without the option the property stays unset.
    static func option<Value>(text property: InputProperty<Input, Value>, help: String? = nil) -> Self {
        Self(property, named: nil, help: help) {
            Option<String?>(help: $0)
        } take: {
            $1.set(property, json: $0.wrappedValue.map(JSONValue.string))
        }
    }

    /// An option that is `on` or `off`; without the option the property stays unset.
    static func onOff(_ property: InputProperty<Input, Bool?>) -> Self {
        Self(property, named: nil, help: nil) {
            Option<OnOff?>(help: $0)
        } take: {
            $1.set(property, to: $0.wrappedValue?.isOn)
        }
    }

    /// An option that may be repeated, named by the singular of a list's name. Only the operation judges its texts.
    static func options<Value>(_ property: InputProperty<Input, [Value]>) -> Self {
        let plural = ArgumentName(Input.fields.parameter(property)?.name ?? "").option
        let name = NameSpecification.customLong(String(plural.dropLast(plural.hasSuffix("s") ? 1 : 0)))
        return Self(property, named: nil, help: nil) {
            Option<[String]>(wrappedValue: [], name: name, help: $0)
        } take: { option, draft in
            let texts = option.wrappedValue
            draft.set(property, json: texts.isEmpty ? nil : .array(texts.map(JSONValue.string)))
        }
    }

    static func flag(_ property: InputProperty<Input, Bool>) -> Self {
        Self(property, named: nil, help: nil) {
            Flag<Bool>(wrappedValue: false, help: $0)
        } take: {
            $1.set(property, to: $0.wrappedValue)
        }
    }
}

/// The name of an argument, as the key of its parsed value.
struct ArgumentName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    /// The name in an option: `given-name` for `givenName`, `key-id` for `keyID`.
    var option: String {
        var (words, isInside) = ("", false)
        for letter in stringValue {
            if letter.isUppercase, isInside { words += "-" }
            words += letter.lowercased()
            isInside = letter.isLowercase
        }
        return words
    }
}

enum OnOff: String, ExpressibleByArgument, CaseIterable {
    case on, off
    var isOn: Bool { self == .on }
}
