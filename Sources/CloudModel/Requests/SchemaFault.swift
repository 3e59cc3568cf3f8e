/// The violated rule of the schema.
package enum SchemaFault: Hashable, Sendable {
    case unknownType
    case unknownField(type: String)
    /// Writes cannot extend the schema in this environment.
    case closed(ContainerEnvironment)
    /// The value's type differs from the declared type.
    case type(field: String)
    case builtIn
    case changed
    case text
    /// The change would lose stored data.
    case loss

    package var text: String {
        switch self {
        case .unknownType: "the record type is not in the schema"
        case .unknownField(let type): "the field is not in '\(type)' of the schema"
        case .closed(let environment): "writes do not make types and fields in \(environment.rawValue)"
        case .type(let field): "the value is not of the type that the schema has for '\(field)'"
        case .builtIn: "built-in types, fields and roles stay as they are"
        case .changed: "the schema has changed since it was looked at"
        case .text: "the schema's text does not parse"
        case .loss: "the change would lose what is stored"
        }
    }
}
