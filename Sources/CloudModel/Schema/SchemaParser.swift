/// Parses schema text (reference A §11.3). Keywords ignore case, so names that match keywords need quotes.
package struct SchemaParser {
    private var lexer: SchemaLexer
    private var token: SchemaToken
    private var schema = SchemaDefinition()
    private var roles: Set<String> = []
    /// Granted roles, to be checked after parsing all roles.
    private var grantees: [(role: String, token: SchemaToken)] = []

    /// - Throws: the first syntax error, with its place.
    package static func parse(_ text: String) throws(SchemaSyntaxError) -> SchemaDefinition {
        var parser = try SchemaParser(text)
        return try parser.definition()
    }

    private init(_ text: String) throws(SchemaSyntaxError) {
        lexer = SchemaLexer(text)
        token = try lexer.next()
    }

    private mutating func definition() throws(SchemaSyntaxError) -> SchemaDefinition {
        try expect("DEFINE", "a schema begins with DEFINE SCHEMA")
        try expect("SCHEMA", "a schema begins with DEFINE SCHEMA")
        while token.kind != .end {
            if try accept("CREATE") {
                try role()
            } else if try accept("RECORD") {
                try recordType()
            } else {
                throw token.error("expected RECORD TYPE or CREATE ROLE, not \(token.shown)")
            }
            try expect(";", "after a record type or role")
        }
        for (role, token) in grantees where !Grants.isBuiltIn(role) && !roles.contains(role) {
            throw token.error(
                "there is no role \"\(Naming.shown(role))\": those of the system are _world, _icloud and _creator, "
                    + "others are made with CREATE ROLE")
        }
        return schema
    }

    // MARK: Roles

    private mutating func role() throws(SchemaSyntaxError) {
        try expect("ROLE", "after CREATE")
        let place = token
        let name = try name(of: "a role")
        if let fault = Naming.fault(roleName: name) { throw place.error(fault.text) }
        guard roles.insert(name).inserted else { throw place.error("role '\(name)' is declared twice") }
        schema.roles.append(name)
    }

    // MARK: Record types

    private mutating func recordType() throws(SchemaSyntaxError) {
        try expect("TYPE", "after RECORD")
        let place = token
        let name = try name(of: "a record type")
        if let fault = Naming.fault(recordType: name) { throw place.error(fault.text) }
        if schema.types[name] != nil { throw place.error("record type '\(name)' is declared twice") }
        var type = TypeDefinition()
        var declared: Set<ImplicitField> = []
        try expect("(", "after the name of a record type")
        repeat {
            if try accept("GRANT") { try grant(&type) } else { try field(&type, &declared) }
        } while try accept(",")
        try expect(")", "or a comma after a field or grant")
        schema.types[name] = type
    }

    private mutating func field(
        _ type: inout TypeDefinition, _ declared: inout Set<ImplicitField>
    ) throws(SchemaSyntaxError) {
        let place = token
        let name = try name(of: "a field")
        let declaration = try declaration()
        if let implicit = ImplicitField(rawValue: name) {
            guard declaration.type == FieldType(implicit.kind) else {
                throw place.error("field \"\(name)\" is of type \(implicit.kind.rawValue) in every record type")
            }
            guard declared.insert(implicit).inserted else { throw place.error("field \"\(name)\" is declared twice") }
            if !declaration.indexes.isEmpty { type.implicit[implicit] = declaration.indexes }
            return
        }
        if let fault = Naming.fault(fieldName: name) { throw place.error(fault.text) }
        guard type.fields[name] == nil else { throw place.error("field '\(name)' is declared twice") }
        type.fields[name] = declaration
    }

    /// A type and its marks; any type takes any mark, as in Apple's exports.
    private mutating func declaration() throws(SchemaSyntaxError) -> FieldDeclaration {
        var declaration = try datatype()
        while true {
            let place = token
            guard case .word(let word) = token.kind, let mark = IndexKind(rawValue: word.uppercased())
            else { return declaration }
            token = try lexer.next()
            guard declaration.indexes.insert(mark).inserted else {
                throw place.error("\(mark.rawValue) is given twice")
            }
        }
    }

    private mutating func datatype() throws(SchemaSyntaxError) -> FieldDeclaration {
        guard try accept("LIST") else { return try primitive(isList: false) }
        try expect("<", "after LIST")
        let declaration = try primitive(isList: true)
        try expect(">", "after the type of a list's elements")
        return declaration
    }

    private mutating func primitive(isList: Bool) throws(SchemaSyntaxError) -> FieldDeclaration {
        let isEncrypted = try accept("ENCRYPTED")
        let place = token
        guard case .word(let word) = token.kind, let kind = FieldKind(rawValue: word.uppercased()) else {
            let kinds = FieldKind.allCases.map(\.rawValue).sorted().joined(separator: ", ")
            throw token.error("expected the type of a field, not \(token.shown): \(kinds), LIST<…> or ENCRYPTED …")
        }
        token = try lexer.next()
        if isEncrypted && [.asset, .reference, .number].contains(kind) {
            throw place.error("\(kind.rawValue) cannot be ENCRYPTED")
        }
        if kind == .number, try accept("PREFERRED") { return try preferredNumber(isList: isList) }
        return FieldDeclaration(FieldType(kind, isList: isList, isEncrypted: isEncrypted))
    }

    private mutating func preferredNumber(isList: Bool) throws(SchemaSyntaxError) -> FieldDeclaration {
        try expect("AS", "after PREFERRED")
        for kind in [FieldKind.int64, .double] where try accept(kind.rawValue) {
            return FieldDeclaration(FieldType(kind, isList: isList), isPreferredNumber: true)
        }
        throw token.error("a NUMBER is PREFERRED AS INT64 or DOUBLE, not \(token.shown)")
    }

    private mutating func grant(_ type: inout TypeDefinition) throws(SchemaSyntaxError) {
        var permissions: Set<Permission> = []
        repeat {
            guard case .word(let word) = token.kind, let permission = Permission(rawValue: word.uppercased()) else {
                throw token.error("expected READ, CREATE or WRITE after GRANT, not \(token.shown)")
            }
            permissions.insert(permission)
            token = try lexer.next()
        } while try accept(",")
        try expect("TO", "or a comma after a permission")
        let place = token
        let role = try name(of: "a role")
        grantees.append((role, place))
        type.grants.permissions[role, default: []].formUnion(permissions)
    }

    // MARK: Tokens

    /// Parses a name, quoted or unquoted.
    private mutating func name(of what: String) throws(SchemaSyntaxError) -> String {
        let name: String
        switch token.kind {
        case .quoted(let text): name = text
        case .word(let word):
            guard word.first?.isLetter == true else {
                throw token.error("put the name of \(what) in double quotes, since it does not begin with a letter")
            }
            guard !SchemaText.isReserved(word) else {
                throw token.error(
                    "'\(word)' is a keyword; to use it as the name of \(what), put it in double quotes")
            }
            name = word
        default: throw token.error("expected the name of \(what), not \(token.shown)")
        }
        token = try lexer.next()
        return name
    }

    /// Consumes a keyword or sign if it comes next.
    private mutating func accept(_ text: String) throws(SchemaSyntaxError) -> Bool {
        switch token.kind {
        case .word(let word) where word.uppercased() == text: break
        case .sign(let sign) where String(sign) == text: break
        default: return false
        }
        token = try lexer.next()
        return true
    }

    private mutating func expect(_ text: String, _ context: String) throws(SchemaSyntaxError) {
        let place = token
        guard try accept(text) else { throw place.error("expected \(text) (\(context)), not \(place.shown)") }
    }
}
