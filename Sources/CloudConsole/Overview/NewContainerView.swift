import CloudAccounts
import CloudPages
import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/container`: creates a container.
enum NewContainerView {
    static let path = "/console/container"

    static let show: ConsoleEndpoint = { try await page($0) }

    static let make: ConsoleEndpoint = { call in
        do {
            let made = try await call.operations.run(
                ContainerOperations.create, ["name": .string(try call.form.text("name"))])
            let place = ConsolePlace(container: made.name, environment: .development, containers: [])
            return .seeOther(NewTypeView.address(place))
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, problem: error.pageText)
        }
    }

    /// - Parameter isFirst: true if the form replaces a page because the server has no container.
    static func page(_ call: ConsoleCall, problem: String? = nil, isFirst: Bool = false) async throws -> Response {
        let form = ConsoleForm(
            title: "New container", path: path, button: "Make the container", action: "create",
            fields: [
                .init(
                    \NewContainer.name, value: call.form["name"] ?? "",
                    hint: "As apps name it, such as iCloud.com.example.app. It stays.")
            ], note: "with a development and a production environment")
        let content = SheetsContent(
            now: call.now, sheets: [], problem: problem,
            remark: isFirst
                ? "There is no container yet. Everything that an app keeps is in one."
                    + (call.page.site.isDevelopment
                        ? " A development server also makes one for an app that calls it." : "")
                : nil, forms: [form])
        return try call.render(
            content, title: "New container", view: .overview,
            place: isFirst ? nil : try await call.place(of: call.query),
            changes: [.operations], status: problem == nil ? .ok : .badRequest)
    }
}
