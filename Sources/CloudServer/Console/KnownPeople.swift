import CloudModel
import CloudOperations

/// The email addresses of people whom a page names by their user record names.
struct KnownPeople: Sendable {
    private let addresses: UserAddresses

    /// - Parameters:
    ///   - names: user record names in the container, each as often as it comes.
    ///   - container: where they are users; without one nobody has an address.
    init(_ call: ConsoleCall, _ names: some Sequence<String?>, in container: String?) async throws {
        try await self.init(call, names.map { ($0, container) })
    }

    /// - Parameter users: user record names with their containers.
    init(_ call: ConsoleCall, _ users: [(name: String?, container: String?)]) async throws {
        addresses = try await UserAddresses(
            of: users, seenBy: call.operations.identity, call.page.site.accounts)
    }

    /// The address; the name itself for a user without one.
    subscript(name: String) -> String { addresses[name] ?? name }

    /// The address with the name behind it; the name alone for a user without an address.
    func both(_ name: String) -> String { addresses[name].map { "\($0) (\(name))" } ?? name }

    /// A sentence with addresses in the place of names.
    func told(_ text: String) -> String { addresses.told(text) }

    /// A cell with the address, which shows the name to whoever points at it.
    func cell(_ name: String?, link: String? = nil) -> Sheet.Cell {
        guard let name, let email = addresses[name] else { return .name(name ?? "", link: link) }
        var cell = Sheet.Cell(email, link: link)
        cell.title = name
        return cell
    }
}
