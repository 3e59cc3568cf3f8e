import CloudModel
import Testing

@testable import CloudOperations

/// Properties of every operation of the catalogue.
struct CatalogueTests {
    private static let routes = OperationCatalogue.all.map(\.route)

    /// Operations that read although their requests have bodies.
    private static let reading = [
        "check", "providers/{name}/test", "{container}/{environment}/act-as", "{container}/{environment}/records/query",
    ]

    @Test("Every operation that changes something adds a line to the audit log")
    func audit() {
        for route in Self.routes where route.method != .get {
            #expect(route.isChange != Self.reading.contains(route.path), "\(route.method) \(route.path)")
        }
        for route in Self.routes where route.method == .get { #expect(!route.isChange, "\(route.path)") }
    }

    @Test("Each operation that takes a limit takes the place to go on from")
    func pages() {
        let paged = Self.routes.filter { $0.takes.contains("limit") }
        for route in paged { #expect(route.takes.contains("after"), "\(route.path)") }
        #expect(paged.count > 15)
        // A list without a limit answers all items: the types of a zone, which limit.recordTypes bounds, and backups.
        let whole = Self.routes.filter { $0.method == .get && !$0.takes.contains("limit") }.map(\.path)
        let place = OperationRoute.environment
        #expect(
            Set(whole) == [
                "settings", "backups", "users/{email}", "users/{email}/storage", "users/{email}/deletion",
                "users/{email}/export", place + "usage", place + "types", place + "record",
                place + "subscriptions/{id}/test", place + "schema", place + "schema/builds", place + "roles",
            ])
    }

    @Test("Each operation has an ID of its own, a description, and a sentence for each parameter")
    func texts() {
        #expect(Set(Self.routes.map(\.text.id)).count == Self.routes.count)
        for route in Self.routes {
            #expect(!route.scopes.isEmpty && route.text.summary.hasSuffix("."), "\(route.text.id)")
            for parameter in route.parameters where parameter.location != .body {
                #expect(parameter.about.hasSuffix("."), "\(route.text.id): \(parameter.name)")
            }
        }
    }

    @Test("Each placeholder of a path is a required parameter, and no name is there twice")
    func placeholders() {
        for route in Self.routes {
            let names = route.parameters.map(\.name)
            #expect(Set(names).count == names.count, "\(route.text.id)")
            for name in route.pathNames {
                let parameter = route.parameters.first { $0.name == name }
                #expect(parameter?.isRequired == true, "\(route.text.id): \(name)")
            }
        }
    }

    @Test("An operation inside an environment takes its container and environment in the path")
    func environment() {
        for route in Self.routes {
            #expect(
                (route.reach == .environment) == route.path.hasPrefix(OperationRoute.environment), "\(route.path)")
        }
        let people = Self.routes.filter { $0.reach == .allEnvironments }.map(\.text.id)
        #expect(Set(people) == ["previewUserDeletion", "deleteUser", "showUserUsage", "exportUser"])
    }

    @Test("Only schema changes have dry runs, which are no changes")
    func dryRuns() {
        let dry = Self.routes.filter { $0.takes.contains("dryRun") }
        #expect(Set(dry.map(\.text.id)) == ["importSchema", "deploySchema", "resetSchema"])
        for route in dry {
            #expect(!route.makesChange(["dryRun": .bool(true)]) && !route.makesChange(["dryRun": .string("")]))
            #expect(route.makesChange(["dryRun": .string("false")]) && route.makesChange(["dryRun": .string("x")]))
        }
        let other = Self.routes.first { $0.text.id == "createContainer" }
        #expect(other?.makesChange(["dryRun": .bool(true)]) == true)
    }
}
