import CloudModel

/// The key path of an input's stored property.
package typealias InputProperty<Input, Value> = any KeyPath<Input, Value> & Sendable

/// A property of an operation's input, with its parameters, and its conversion from and to arguments.
package struct InputField<Input, Value>: Sendable {
    /// The property's parameter; several for a property that is an input itself.
    let parameters: [Parameter]
    /// The conversion of the property, and of the properties inside it, to arguments.
    let entries: [InputEntry]
    let property: InputProperty<Input, Value>
    let read: @Sendable (Arguments) throws -> Value

    private init(
        _ parameters: [Parameter], _ property: InputProperty<Input, Value>, inside: [InputEntry],
        read: @escaping @Sendable (Arguments) throws -> Value,
        write: @escaping @Sendable (Value, inout Arguments) -> Void
    ) {
        self.parameters = parameters
        self.property = property
        self.read = read
        let own = InputEntry(InputKey(path: property), inside.isEmpty ? parameters.first : nil, read: read) {
            value, arguments in
            if let value = value as? Value { write(value, &arguments) }
        }
        entries = [own] + inside
    }

    /// - Parameter json: the argument of a value; nil leaves the argument out.
    init(
        _ parameter: Parameter, _ property: InputProperty<Input, Value>,
        read: @escaping @Sendable (Arguments) throws -> Value, json: @escaping @Sendable (Value) -> JSONValue?
    ) {
        self.init([parameter], property, inside: [], read: read) { $1[parameter.name] = json($0) }
    }

    /// The properties of an input inside this input.
    static func group(_ property: InputProperty<Input, Value>) -> Self where Value: OperationInput {
        let fields = Value.fields
        let inside = fields.entries.compactMap { entry in
            (property as AnyKeyPath).appending(path: entry.key.path).map {
                InputEntry(InputKey(path: $0), entry.parameter, read: entry.read, write: entry.write)
            }
        }
        return InputField(
            fields.parameters, property, inside: inside, read: fields.read,
            write: { value, arguments in arguments.merge(fields.arguments(of: value)) })
    }

    /// The same field, carried in another part of a request.
    func at(_ location: Parameter.Location) -> Self {
        var parameter = parameters[0]
        parameter.location = location
        return InputField([parameter], property, inside: [], read: read) { [entries] in entries[0].write($0, &$1) }
    }
}

/// A property of an input, perhaps a nested input's: parameter, and conversion from and to arguments.
struct InputEntry: Sendable {
    let key: InputKey
    /// Nil for a property that is an input itself.
    let parameter: Parameter?
    let read: @Sendable (Arguments) throws -> Any
    /// Ignores a value of another type than the property's.
    let write: @Sendable (Any, inout Arguments) -> Void

    init(
        _ key: InputKey, _ parameter: Parameter?, read: @escaping @Sendable (Arguments) throws -> Any,
        write: @escaping @Sendable (Any, inout Arguments) -> Void
    ) {
        self.key = key
        self.parameter = parameter
        self.read = read
        self.write = write
    }
}

/// The key path of a property, for finding its parameter. Key paths of stored properties are immutable.
struct InputKey: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
}
