import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// `/console/schema/deploy`: compares development with production, and deploys.
enum DeployView {
    static let show: ConsoleEndpoint = { call in
        try await page(call, place: try await call.requirePlace())
    }

    static let deploy: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        guard call.form["agreed"] == "yes" else {
            return try await page(call, place: place, problem: "Say that production is meant to change.")
        }
        do {
            let plan = SchemaPlan(place.within(.production).address, ifTag: call.form["tag"] ?? "")
            _ = try await call.operations.run(SchemaOperations.deploy, plan)
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, place: place, problem: error.pageText)
        }
        return .seeOther(place.within(.production).address(ConsoleView.schema.path))
    }

    private static func page(
        _ call: ConsoleCall, place: ConsolePlace, problem: String? = nil
    ) async throws -> Response {
        let status: HTTPResponse.Status = problem == nil ? .ok : .badRequest
        var problem = problem
        var outcome: SchemaOutcome?
        do {
            outcome = try await call.operations.run(
                SchemaOperations.deploy, SchemaPlan(place.within(.production).address, dryRun: true))
        } catch let error as ServerError where error.code == .badRequest {
            problem = error.pageText
        }
        let content = Content(
            tabs: SchemaTab.tabs(current: .deploy, place), problem: problem, isSame: outcome?.steps.isEmpty == true,
            change: outcome.flatMap { outcome in
                outcome.steps.isEmpty
                    ? nil
                    : Content.Change(
                        steps: outcome.lines, deploy: ConsoleFormView(form(place, tag: outcome.tag ?? "")))
            })
        return try call.render(content, title: "Deploy", view: .schema, place: place, status: status)
    }

    private static func form(_ place: ConsolePlace, tag: String) -> ConsoleForm {
        ConsoleForm(
            title: "Deploy", path: "/console/schema/deploy", button: "Deploy to production",
            hidden: place.hidden + [FilledField(name: "tag", value: tag)],
            fields: [.init("agreed", "I mean production.", .check("yes"), isRequired: true)],
            note: "Types, fields and indexes in production stay for good: nothing that is deployed can be taken back.")
    }

    struct Content: ConsoleContent {
        static let template = "console-deploy"

        let tabs: [ConsoleTab]
        let problem: String?
        /// Whether there is nothing to deploy.
        let isSame: Bool
        let change: Change?

        init(tabs: [ConsoleTab], problem: String?, isSame: Bool, change: Change?) {
            self.tabs = tabs
            self.problem = problem
            self.isSame = isSame
            self.change = change
        }

        struct Change: PageView {
            let steps: [SchemaStep]
            let deploy: ConsoleFormView
        }
    }
}
