import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations
import Foundation

/// `/console/schema/type`: creates a record type in development, or adds fields to a type.
enum NewTypeView {
    static let path = "/console/schema/type"

    /// - Parameter type: an existing type to extend; nil for a new type.
    static func address(_ place: ConsolePlace, type: String? = nil) -> String {
        place.within(.development).address(path, ["type": type])
    }

    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace().within(.development)
        let type = call.query.filled("type")
        if let type { _ = try await definition(of: type, call, place) }
        return try page(call, place, NewType(type: type))
    }

    static let make: ConsoleEndpoint = { call in
        let place = try await call.requirePlace().within(.development)
        let form = NewType(call.form)
        guard call.form["do"] != "more" else { return try page(call, place, form.withMoreRows) }
        do {
            let known = try await call.operations.run(SchemaOperations.export, place.address)
            var schema = try SchemaParser.parse(known.text)
            try form.add(to: &schema)
            _ = try await call.operations.run(
                SchemaOperations.importText,
                SchemaImport(SchemaText.text(schema), SchemaPlan(place.address, ifTag: known.tag)))
            return .seeOther(DataSpot(place: place, query: FormFields("".utf8)).address(type: form.name))
        } catch let error as SchemaSyntaxError {
            return try page(call, place, form, problem: ServerError.badRequest("\(known: error.reason)").pageText)
        } catch let error as ServerError where error.isAboutForm || error.code == .quotaExceeded {
            return try page(call, place, form, problem: error.pageText)
        }
    }

    private static func definition(
        of type: String, _ call: ConsoleCall, _ place: ConsolePlace
    ) async throws -> TypeDefinition {
        guard let definition = try await call.schema(of: place).types[type] else {
            throw ServerError(
                .notFound, "there is no record type '\(Naming.shown(type))'", .schema(.unknownType))
        }
        return definition
    }

    private static func page(
        _ call: ConsoleCall, _ place: ConsolePlace, _ form: NewType, problem: String? = nil
    ) throws -> Response {
        let title = form.existing.map { "New fields of \($0)" } ?? "New record type"
        let content = Content(
            heading: title, problem: problem, hidden: place.hidden, existing: form.existing,
            name: form.existing == nil ? Content.Name(form.name, isWrong: problem != nil) : nil, rows: form.rowViews,
            back: place.address(ConsoleView.schema.path))
        return try call.render(
            content, title: title, view: .schema, place: place, status: problem == nil ? .ok : .badRequest)
    }

    struct Content: ConsoleContent {
        static let template = "console-type"

        let heading: String
        let problem: String?
        let hidden: [FilledField]
        /// The type to extend.
        let existing: String?
        /// The name of a new type.
        let name: Name?
        let rows: [Row]
        let back: String

        init(
            heading: String, problem: String?, hidden: [FilledField], existing: String?, name: Name?, rows: [Row],
            back: String
        ) {
            self.heading = heading
            self.problem = problem
            self.hidden = hidden
            self.existing = existing
            self.name = name
            self.rows = rows
            self.back = back
        }

        struct Name: PageView {
            let inputs: [FormFieldView]

            /// - Parameter isWrong: whether the page has a problem, which describes the field then.
            init(_ name: String, isWrong: Bool) {
                let field = FormField("name", "Name", .code, value: name, isRequired: true).with {
                    $0.limit = Naming.longestName
                    $0.placeholder = "Note"
                    $0.described = isWrong ? "problem" : nil
                }
                inputs = [FormFieldView(field)]
            }
        }

        /// The controls of a field: name, type and index.
        struct Row: PageView {
            let controls: [FormFieldView]
        }
    }
}

/// A record type as entered in the form.
struct NewType {
    /// The type to extend; nil for a new type.
    let existing: String?
    let name: String
    private(set) var rows: [Row]

    struct Row {
        var name = ""
        var kind = FieldKind.string.rawValue
        var isIndexed = true
    }

    private static let firstRows = 5
    private static let mostRows = 100
    /// The field kinds in the schema language that the form offers.
    private static let kinds: [FieldKind] = [
        .string, .int64, .double, .timestamp, .reference, .location, .asset, .bytes,
    ]

    init(type: String?) {
        existing = type
        name = type ?? ""
        rows = [Row](repeating: Row(), count: Self.firstRows)
    }

    /// - Parameter form: `n.1`, `k.1` and `x.1` describe the first field, and so on.
    init(_ form: FormFields) {
        existing = form.filled("existing")
        name = existing ?? form["name"]?.trimmingCharacters(in: .whitespaces) ?? ""
        rows = (1...Self.mostRows).prefix { form["n.\($0)"] != nil }.map { number in
            Row(
                name: form["n.\(number)"]?.trimmingCharacters(in: .whitespaces) ?? "",
                kind: form["k.\(number)"] ?? "", isIndexed: form["x.\(number)"] != nil)
        }
    }

    var withMoreRows: NewType {
        var more = self
        more.rows += [Row](repeating: Row(), count: min(Self.firstRows, Self.mostRows - rows.count))
        return more
    }

    var rowViews: [NewTypeView.Content.Row] {
        rows.enumerated().map { index, row in
            .init(controls: Self.controls(of: row, index + 1).map { FormFieldView($0) })
        }
    }

    private static func controls(of row: Row, _ number: Int) -> [FormField] {
        let kinds = kinds.flatMap { [FieldType($0), FieldType($0, isList: true)].map(text) }
        return [
            FormField("n.\(number)", "Name of field \(number)", .code, value: row.name).with {
                $0.limit = Naming.longestName
                $0.placeholder = "field"
                $0.classes = "fill"
                $0.spoken = $0.label
            },
            FormField("k.\(number)", "Type of field \(number)", .choice(kinds), value: row.kind).with {
                $0.isMono = true
                $0.spoken = $0.label
            },
            FormField("x.\(number)", "index", .check("1"), value: row.isIndexed ? "1" : "").with {
                $0.spoken = "Index of field \(number)"
            },
        ]
    }

    private static func text(_ type: FieldType) -> String {
        type.isList ? "LIST<\(type.kind.rawValue)>" : type.kind.rawValue
    }

    /// - Throws: `BAD_REQUEST` for a missing, existing or repeated name, and for an unknown field kind.
    func add(to schema: inout SchemaDefinition) throws(ServerError) {
        guard !name.isEmpty else { throw .badRequest("give the type a name") }
        if let fault = Naming.fault(recordType: name) { throw .badRequest(fault) }
        guard existing != nil || schema.types[name] == nil else {
            throw .badRequest("there is a record type '\(Naming.shown(name))' already")
        }
        var type = schema.types[name] ?? TypeDefinition(implicit: [.recordID: [.queryable]], grants: .standard)
        for row in rows where !row.name.isEmpty {
            if let fault = Naming.fault(fieldName: row.name) { throw .badRequest(fault) }
            guard type.fields[row.name] == nil else {
                throw .badRequest("the type has a field '\(Naming.shown(row.name))' already")
            }
            guard let kind = Self.type(row.kind) else {
                throw .badRequest("choose a kind for '\(Naming.shown(row.name))'")
            }
            type.fields[row.name] = FieldDeclaration(kind, indexes: row.isIndexed ? IndexKind.useful(for: kind) : [])
        }
        schema.types[name] = type
    }

    private static func type(_ text: String) -> FieldType? {
        kinds.lazy.flatMap { [FieldType($0), FieldType($0, isList: true)] }.first { Self.text($0) == text }
    }
}
