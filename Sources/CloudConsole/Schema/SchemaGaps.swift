import CloudAccounts
import CloudWire
import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// Index marks that queries needed and production lacks.
struct SchemaGaps {
    /// The number of gaps shown, most missed first.
    private static let most = 5

    private let gaps: [Gap]
    private let development: ConsolePlace

    private struct Gap {
        let missed: MissedMark
        /// Whether development already has the mark, so that only a deployment is missing.
        let isInDevelopment: Bool
    }

    init(_ call: ConsoleCall, _ place: ConsolePlace) async throws {
        development = place.within(.development)
        let site = call.page.site
        let missed = site.wire.recorder.indexUsage.missed(container: place.container, until: site.accounts.now())
        guard !missed.isEmpty else {
            gaps = []
            return
        }
        let there = try await call.schema(of: development)
        let production = try await call.schema(of: place.within(.production))
        gaps = missed.filter { !production.has($0) }.prefix(Self.most).map {
            Gap(missed: $0, isInDevelopment: there.has($0))
        }
    }

    var views: [View] {
        gaps.map { gap in
            let (missed, mark) = (gap.missed, gap.missed.mark)
            let field = mark.field == SystemField.recordName.rawValue ? "recordName" : mark.field
            let queries = missed.count == 1 ? "1 query" : "\(missed.count) queries"
            let verb = missed.count == 1 ? "was" : "were"
            let isRefused = missed.environment == .production
            let addition = [
                ("do", "mark"), ("type", missed.type), ("field", mark.field), ("mark", mark.mark.rawValue),
            ].map(FilledField.init)
            return View(
                title: isRefused ? "Production lacks an index." : "Production would refuse this.",
                text: "\(queries) in 7 days \(verb) " + (isRefused ? "refused:" : "answered in development:"),
                field: "\(missed.type).\(field)", mark: mark.mark.label,
                add: gap.isInDevelopment ? nil : View.Addition(hidden: development.hidden + addition),
                deploy: gap.isInDevelopment ? development.address(SchemaTab.deploy.path) : nil)
        }
    }

    struct View: PageView {
        let title: String
        let text: String
        let field: String
        let mark: String
        /// The form that adds the mark in development.
        let add: Addition?
        /// The address of the page that deploys the mark to production.
        let deploy: String?

        struct Addition: PageView {
            let hidden: [FilledField]
        }
    }

    /// Adds the submitted index mark to development's schema.
    ///
    /// - Throws: `BAD_REQUEST` for a mark that the field cannot have; `NOT_FOUND` for an unknown type or field;
    ///   `CONFLICT` after a concurrent schema change.
    static func add(_ call: ConsoleCall, _ place: ConsolePlace) async throws {
        let (type, field) = (try call.form.text("type"), try call.form.text("field"))
        guard let mark = IndexKind(rawValue: try call.form.text("mark")) else {
            throw ServerError.badRequest("mark must be QUERYABLE, SORTABLE or SEARCHABLE")
        }
        let development = place.within(.development).address
        let known = try await call.operations.run(SchemaOperations.export, development)
        var schema = try SchemaParser.parse(known.text)
        try schema.mark(field, of: type, as: mark)
        _ = try await call.operations.run(
            SchemaOperations.importText,
            SchemaImport(SchemaText.text(schema), SchemaPlan(development, ifTag: known.tag)))
    }
}

extension SchemaDefinition {
    fileprivate func has(_ missed: MissedMark) -> Bool {
        guard let type = types[missed.type] else { return false }
        if let field = ImplicitField(rawValue: missed.mark.field) {
            return type.implicit[field]?.contains(missed.mark.mark) == true
        }
        return type.fields[missed.mark.field]?.indexes.contains(missed.mark.mark) == true
    }

    fileprivate mutating func mark(_ name: String, of type: String, as mark: IndexKind) throws(ServerError) {
        guard var definition = types[type] else {
            throw ServerError(.notFound, "there is no record type '\(Naming.shown(type))'", .schema(.unknownType))
        }
        if let field = ImplicitField(rawValue: name) {
            try Self.require(mark, FieldType(field.kind), name)
            definition.implicit[field, default: []].insert(mark)
        } else if let field = definition.fields[name] {
            try Self.require(mark, field.type, name)
            definition.fields[name]?.indexes.insert(mark)
        } else {
            throw ServerError(
                .notFound, "'\(Naming.shown(type))' has no field '\(Naming.shown(name))'",
                .schema(.unknownField(type: type)))
        }
        types[type] = definition
    }

    private static func require(_ mark: IndexKind, _ type: FieldType, _ name: String) throws(ServerError) {
        guard IndexKind.useful(for: type).contains(mark) else {
            throw .badRequest("field '\(Naming.shown(name))' cannot be marked \(known: mark.label)")
        }
    }
}
