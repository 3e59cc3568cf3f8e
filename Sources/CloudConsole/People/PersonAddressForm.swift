import CloudHTTP
import CloudModel
import CloudOperations
import CloudPages

/// The form that gives a person another address.
enum PersonAddressForm {
    static let action = "address"

    static func form(_ user: UserInfo) -> ConsoleForm {
        ConsoleForm(
            title: "Another address", path: "/console/person", button: "Change the address", action: action,
            hidden: [FilledField(name: "email", value: user.name)],
            fields: [.init(\NewAddress.address, "Address")],
            note:
                "It counts as confirmed. Left empty, the address is taken away from a person who signs in by a provider."
        )
    }

    /// - Parameter name: the person's address until now, or id.
    /// - Returns: the address of the person's page.
    static func apply(_ call: ConsoleCall, to name: String) async throws -> String {
        let user = try await call.operations.run(
            UserOperations.setAddress,
            ["email": .string(name), "address": call.form.filled("address").map(JSONValue.string)])
        return PersonView.address(user.name)
    }
}
