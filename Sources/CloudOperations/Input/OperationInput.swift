package import CloudModel

/// The input of an operation: a struct of values, described by its fields.
package protocol OperationInput: Sendable {
    /// Each property with its name, type, limits and sentence, in the order of the memberwise initializer.
    static var fields: InputFields<Self> { get }
}

extension OperationInput {
    /// - Throws: `BAD_REQUEST` for a missing or unsuitable argument.
    package init(_ arguments: Arguments) throws { self = try Self.fields.read(arguments) }
}

/// The fields of an input: its parameters, its reading from arguments, and its writing to arguments.
package struct InputFields<Input>: Sendable {
    package let parameters: [Parameter]
    let entries: [InputEntry]
    let read: @Sendable (Arguments) throws -> Input
    private let write: @Sendable (Input, inout Arguments) -> Void

    /// - Parameter make: the memberwise initializer.
    init<each Value>(
        _ make: @escaping @Sendable (repeat each Value) -> Input, _ fields: repeat InputField<Input, each Value>
    ) {
        let all = (repeat each fields)
        var (parameters, entries): ([Parameter], [InputEntry]) = ([], [])
        for field in repeat each fields {
            parameters += field.parameters
            entries += field.entries
        }
        self.parameters = parameters
        self.entries = entries
        read = { arguments in try make(repeat (each all).read(arguments)) }
        write = { input, arguments in
            for field in repeat each all { field.entries[0].write(input[keyPath: field.property], &arguments) }
        }
    }

    func arguments(of input: Input) -> Arguments {
        var arguments = Arguments()
        write(input, &arguments)
        return arguments
    }

    private func entry(_ property: AnyKeyPath) -> InputEntry? { entries.first { $0.key.path == property } }

    /// A property's parameter, nested properties included; nil for a property whose type is an input.
    package func parameter<Value>(_ property: KeyPath<Input, Value>) -> Parameter? { entry(property)?.parameter }

    fileprivate func write<Value>(
        _ value: Value, to property: KeyPath<Input, Value>, _ arguments: inout Arguments
    ) {
        entry(property)?.write(value, &arguments)
    }

    fileprivate func value<Value>(of property: KeyPath<Input, Value>, in arguments: Arguments) throws -> Value? {
        try entry(property)?.read(arguments) as? Value
    }
}

/// The arguments of an operation, set and read by the properties of its input.
package struct InputDraft<Input: OperationInput> {
    package private(set) var arguments = Arguments()

    package init() {}

    /// Sets the argument of a property; nil removes it.
    package mutating func set<Value>(_ property: KeyPath<Input, Value>, to value: Value) {
        Input.fields.write(value, to: property, &arguments)
    }

    /// Sets the argument of a property to a value that only the operation judges; nil removes it.
    package mutating func set<Value>(_ property: KeyPath<Input, Value>, json: JSONValue?) {
        guard let name = Input.fields.parameter(property)?.name else { return }
        arguments[name] = json
    }

    /// The value of a property, or its default.
    ///
    /// - Throws: `BAD_REQUEST` if the property needs an argument and has none, or has an unsuitable one.
    package func value<Value>(of property: KeyPath<Input, Value>) throws -> Value {
        guard let value = try Input.fields.value(of: property, in: arguments) else {
            throw ServerError.badRequest("an argument is missing")
        }
        return value
    }

    /// - Throws: `BAD_REQUEST` for a missing or unsuitable argument.
    package func value() throws -> Input { try Input(arguments) }
}

/// The input of operations that take nothing.
package struct NoInput: OperationInput {
    package static let fields = InputFields(Self.init)
}
