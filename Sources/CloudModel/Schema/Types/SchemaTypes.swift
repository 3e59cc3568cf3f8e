/// Generates type declarations for a schema's records, in the language of a client library.
package enum SchemaTypes {
    package enum Language: String, CaseIterable, Sendable { case typescript, swift }

    /// Generates the declarations; record types and fields are sorted by name.
    ///
    /// - Parameter command: the generating command, for the first line.
    package static func text(_ schema: SchemaDefinition, in language: Language, madeBy command: String) -> String {
        let schema = schema.withBuiltInTypes
        let body =
            switch language {
            case .typescript: TypeScriptTypes(schema).text
            case .swift: SwiftTypes(schema).text
            }
        return "// Made by: \(line(command))\n\(body)"
    }

    /// File names may contain line ends, which would end the comment.
    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isPrinted = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
            line.append(isPrinted && scalar != "\u{2028}" && scalar != "\u{2029}" ? scalar : "?")
        }
        return String(line)
    }
}

extension SchemaDefinition {
    /// The schema including the types and fields of every container.
    fileprivate var withBuiltInTypes: SchemaDefinition {
        var whole = self
        for (type, fields) in [(RecordType.users, RecordType.usersFields), (RecordType.share, ShareName.fields)] {
            for field in fields where whole.types[type]?.fields[field.name] == nil {
                whole.types[type, default: TypeDefinition()].fields[field.name] = FieldDeclaration(field.type)
            }
        }
        return whole
    }
}
