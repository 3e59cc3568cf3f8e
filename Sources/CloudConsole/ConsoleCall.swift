import CloudAccounts
import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// A request for a console page.
struct ConsoleCall: Sendable {
    let page: PageCall
    let operations: StoreOperations
    /// The signed-in operator; nil on a development server, which needs no sign-in.
    let `operator`: ServerOperator?
    /// The form guard's value, and the cookie to set if the browser has none.
    let guarded: (value: String, cookie: Cookie?)

    init(page: PageCall, operations: StoreOperations, operator: ServerOperator?) {
        self.page = page
        self.operations = operations
        self.operator = `operator`
        guarded = page.formGuard()
    }

    /// The server's clock, which tests may set.
    var now: Timestamp { page.site.accounts.now() }

    var query: FormFields { page.query }
    var form: FormFields { page.form }

    /// The container and environment from the query or form; by default those of ``FirstPlace``.
    func place() async throws -> ConsolePlace? { try await place(of: page.request.method == .post ? form : query) }

    /// The most containers in a menu; the overview lists the rest.
    private static let mostListed: Int64 = 200

    /// The names of the first containers, and whether more exist.
    func containers() async throws -> (names: [String], hasMore: Bool) {
        let page = try await operations.run(ContainerOperations.list, ["limit": .integer(Self.mostListed)])
        return (page.items.map(\.name), page.next != nil)
    }

    /// A form field for a container: a menu, or a text field if there are too many containers for a menu.
    ///
    /// - Parameter isRequired: whether the field must have a value.
    func containerField(value: String = "", isRequired: Bool = true, hint: String = "") async throws
        -> FormField
    {
        let (names, hasMore) = try await containers()
        guard !hasMore else {
            return .init(
                "container", "Container", value: value, hint: hint.isEmpty ? "Its whole name." : hint,
                isRequired: isRequired)
        }
        return .init("container", "Container", .choice((isRequired ? [] : [""]) + names), value: value, hint: hint)
    }

    /// The place in a set of fields; by default that of ``FirstPlace``.
    func place(of fields: FormFields) async throws -> ConsolePlace? {
        let (containers, hasMore) = try await containers()
        let named = fields["container"]
        let first = named == nil ? try await FirstPlace(call: self).find(among: containers) : nil
        guard let container = named ?? first?.container else { return nil }
        if !containers.contains(container) {
            try operations.identity.require(container: container)
            _ = try await page.site.accounts.containers.require(named: container)
        }
        let text = fields["environment"] ?? (first?.environment ?? firstEnvironment).rawValue
        guard let environment = ContainerEnvironment(rawValue: text) else {
            throw ServerError.badRequest("environment must be development or production")
        }
        return ConsolePlace(
            container: container, environment: environment, containers: containers, hasMoreContainers: hasMore)
    }

    /// The default environment: development on a development server, else production.
    var firstEnvironment: ContainerEnvironment { page.site.isDevelopment ? .development : .production }

    /// - Throws: ``NoContainer`` when the server has no container.
    func requirePlace() async throws -> ConsolePlace {
        guard let place = try await place() else { throw NoContainer() }
        return place
    }
}

/// Thrown by pages about a container when the server has no container.
struct NoContainer: Error {}

extension ServerError {
    /// Whether correcting the form may resolve the error.
    var isAboutForm: Bool { [.badRequest, .notFound, .conflict, .exists, .throttled].contains(code) }
}

extension ConsoleCall {
    /// The reason why the operator's role forbids a page's changes; nil if the role permits all of the scopes.
    ///
    /// - Parameter changes: the scopes that the page's forms need.
    func bound(by changes: [ManagementScope]) -> String? {
        do throws(ServerError) {
            try operations.identity.requireChange(changes)
            return nil
        } catch {
            return error.reason
        }
    }
}

/// The container and environment of a console page.
struct ConsolePlace: Sendable {
    let container: String
    let environment: ContainerEnvironment
    /// The first containers on the server.
    let containers: [String]
    var hasMoreContainers = false

    var address: EnvironmentAddress { EnvironmentAddress(container: container, environment: environment) }

    var arguments: Arguments { ["container": .string(container), "environment": .string(environment.rawValue)] }

    func arguments(_ more: KeyValuePairs<String, String?>) -> Arguments {
        var arguments: Arguments = self.arguments
        for (name, value) in more { arguments[name] = value.map(JSONValue.string) }
        return arguments
    }

    /// A console address with this place in its query.
    func address(_ path: String, _ more: KeyValuePairs<String, String?> = [:]) -> String {
        ConsoleAddress.make(
            path, [("container", container), ("environment", environment.rawValue)] + more.map { ($0, $1) })
    }

    func within(_ environment: ContainerEnvironment) -> ConsolePlace {
        ConsolePlace(
            container: container, environment: environment, containers: containers,
            hasMoreContainers: hasMoreContainers)
    }

    /// The hidden fields with this place.
    var hidden: [FilledField] {
        [("container", container), ("environment", environment.rawValue)].map(FilledField.init)
    }
}

extension ContainerEnvironment {
    var label: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// Builds addresses of console pages.
enum ConsoleAddress {
    /// - Parameter fields: query items; nil values are left out.
    static func make(_ path: String, _ fields: [(String, String?)]) -> String {
        let query = fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}
