import CloudAccounts
import CloudStore
import CloudWire
import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// `/console/schema`: an environment's types, fields and grants, and production's missing index marks.
enum SchemaView {
    static let show: ConsoleEndpoint = { call in try await page(call, place: try await call.requirePlace()) }

    /// Adds an index mark to development, or grants or revokes a custom role.
    static let change: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        do {
            switch call.form["do"] {
            case "mark": try await SchemaGaps.add(call, place)
            case "grant": try await setRole(call, place, to: true)
            case "revoke": try await setRole(call, place, to: false)
            default: throw ServerError.unknownAction
            }
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, place: place, problem: error.pageText)
        }
        return .seeOther(place.address(ConsoleView.schema.path))
    }

    private static func setRole(_ call: ConsoleCall, _ place: ConsolePlace, to isGranted: Bool) async throws {
        let operation = isGranted ? RoleOperations.grant : RoleOperations.revoke
        let (role, user) = (try call.form.text("role"), try call.form.text("user"))
        _ = try await call.operations.run(operation, place.arguments(["role": role, "user": user]))
    }

    private static func page(
        _ call: ConsoleCall, place: ConsolePlace, problem: String? = nil
    ) async throws -> Response {
        let schema = try await call.schema(of: place)
        let builds = try await call.operations.run(SchemaOperations.builds, place.address).builds
        let roles = try await call.operations.run(RoleOperations.list, RolePage(place.address))
        let uses = call.page.site.wire.recorder.indexUsage.uses(
            container: place.container, environment: place.environment, until: call.page.site.accounts.now())
        let types = schema.types.sorted { $0.key < $1.key }
        var sheets = types.map { sheet($0.key, $0.value, uses[$0.key] ?? [:], place) }
        sheets.append(grants(types))
        if !roles.roles.isEmpty { sheets.append(members(roles, place)) }
        let content = Content(
            summary: summary(schema), newType: NewTypeView.address(place), tabs: SchemaTab.tabs(current: .types, place),
            problem: problem,
            builds: builds.map { "\($0.recordType): \($0.state.rawValue), \($0.done) of \($0.total) records" },
            gaps: try await SchemaGaps(call, place).views, sheets: sheets.map { SheetView($0, now: call.now) },
            granting: roles.roles.isEmpty
                ? nil : ConsoleFormView(granting(roles.roles.map(\.name), place)))
        return try call.render(
            content, title: "Schema", view: .schema, place: place, status: problem == nil ? .ok : .badRequest)
    }

    private static func granting(_ roles: [String], _ place: ConsolePlace) -> ConsoleForm {
        ConsoleForm(
            title: "Grant", path: ConsoleView.schema.path, button: "Grant", action: "grant", hidden: place.hidden,
            fields: [
                FormField(\RoleMembership.role, "Give", .choice(roles)),
                FormField(\RoleMembership.user, "to").with { $0.placeholder = "email address or user record name" },
            ])
    }

    private static func summary(_ schema: SchemaDefinition) -> String {
        let fields = schema.types.values.flatMap(\.fields.values)
        let implicit = schema.types.values.flatMap(\.implicit.values)
        let indexes = fields.reduce(0) { $0 + $1.indexes.count } + implicit.reduce(0) { $0 + $1.count }
        return "\(schema.types.count) types, \(fields.count) fields, \(indexes) indexes"
    }

    private static func sheet(
        _ name: String, _ type: TypeDefinition, _ uses: [UsedMark: Int], _ place: ConsolePlace
    ) -> Sheet {
        let fields = type.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.typeText, $0.value.indexes) }
        let system = type.implicit.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            ($0.key.rawValue, $0.key.kind.rawValue, $0.value)
        }
        return Sheet(
            title: name,
            columns: [
                .init(title: "Field"), .init(title: "Type"), .init(title: "Indexes"),
                .init(title: "Queries in 7 days"),
            ],
            rows: (fields + system).map { field, type, indexes in
                let marks = IndexKind.allCases.filter(indexes.contains)
                return [
                    .name(field), .name(type), Sheet.Cell(marks.map(\.label).joined(separator: ", "), isWhole: true),
                    Sheet.Cell(use(marks, uses, of: field), isWhole: true),
                ]
            }, empty: "This type has no fields of its own.", links: links(to: name, place))
    }

    private static func links(to type: String, _ place: ConsolePlace) -> [PageLink] {
        let spot = DataSpot(place: place, query: FormFields("".utf8))
        guard !SchemaDefinition.builtInTypes.contains(type) else { return [] }
        return [
            PageLink(label: "Records", address: spot.address(type: type)),
            PageLink(label: "API", address: APIView.address(spot, type: type)),
            PageLink(label: "New field", address: NewTypeView.address(place, type: type)),
        ]
    }

    private static func use(_ marks: [IndexKind], _ uses: [UsedMark: Int], of field: String) -> String {
        let counts = marks.map { (label: $0.label, count: uses[UsedMark(field: field, mark: $0)] ?? 0) }
        let used = counts.filter { $0.count > 0 }.map { "\($0.label) \($0.count)" }.joined(separator: ", ")
        let unused = counts.filter { $0.count == 0 }.map(\.label)
        return switch (used.isEmpty, unused.isEmpty) {
        case (true, true): ""
        case (true, false): "unused"
        case (false, true): used
        case (false, false): "\(used); unused: \(unused.joined(separator: ", "))"
        }
    }

    private static func grants(_ types: [(key: String, value: TypeDefinition)]) -> Sheet {
        Sheet(
            title: "Grants", note: "in the public database",
            columns: [.init(title: "Type"), .init(title: "Role")]
                + Permission.allCases.map { .init(title: $0.rawValue.prefix(1) + $0.rawValue.dropFirst().lowercased()) },
            rows: types.flatMap { name, type in
                type.grants.permissions.sorted { $0.key < $1.key }.map { role, permissions in
                    [.name(name), .name(role)]
                        + Permission.allCases.map {
                            permissions.contains($0) ? Sheet.Cell("yes", badge: "good") : Sheet.Cell("no")
                        }
                }
            }, empty: "No role may do anything, since there are no types.")
    }

    private static func members(_ roles: RoleList, _ place: ConsolePlace) -> Sheet {
        Sheet(
            title: "Custom roles",
            note: roles.roles.map(\.name).joined(separator: ", ")
                + (roles.hasMore ? "; 'cumulus role list' names all members" : ""),
            columns: [.init(title: "User"), .init(title: "Role"), .init(title: "Revoke")],
            rows: roles.members.flatMap { member in
                member.roles.map { role in
                    [
                        .name(member.userRecordName), .name(role),
                        Sheet.Cell(
                            "",
                            action: Sheet.Action(
                                label: "Revoke",
                                fields: [
                                    ("container", place.container), ("environment", place.environment.rawValue),
                                    ("do", "revoke"), ("role", role), ("user", member.userRecordName),
                                ])),
                    ]
                }
            }, empty: "Nobody has a custom role.")
    }
}

extension IndexKind {
    var label: String { rawValue.lowercased() }
}
