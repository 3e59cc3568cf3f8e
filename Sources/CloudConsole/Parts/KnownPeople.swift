import CloudPages
import CloudModel
import CloudOperations

/// Email addresses by user record name, for display.
struct KnownPeople: Sendable {
    private let addresses: UserAddresses

    /// - Parameters:
    ///   - names: user record names in the container, with repetitions.
    ///   - container: the users' container; nil finds no addresses.
    init(_ call: ConsoleCall, _ names: some Sequence<String?>, in container: String?) async throws {
        try await self.init(call, names.map { ($0, container) })
    }

    /// - Parameter users: user record names with their containers.
    init(_ call: ConsoleCall, _ users: [(name: String?, container: String?)]) async throws {
        addresses = try await UserAddresses(
            of: users, seenBy: call.operations.identity, call.page.site.accounts)
    }

    /// The email address; the user record name if unknown.
    subscript(name: String) -> String { addresses[name] ?? name }

    /// The email address followed by the user record name; the name alone if the address is unknown.
    func both(_ name: String) -> String { addresses[name].map { "\($0) (\(name))" } ?? name }

    /// A sentence with user record names replaced by email addresses.
    func told(_ text: String) -> String { addresses.told(text) }

    /// A cell with the email address, and the user record name as a tooltip.
    func cell(_ name: String?, link: String? = nil) -> Sheet.Cell {
        guard let name, let email = addresses[name] else { return .name(name ?? "", link: link) }
        var cell = Sheet.Cell(email, link: link)
        cell.title = name
        return cell
    }
}
