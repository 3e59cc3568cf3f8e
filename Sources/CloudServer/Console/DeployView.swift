import CloudModel
import CloudOperations
import CloudStore
import Hummingbird

/// `/console/schema/deploy`: the difference between development and production, and the way there.
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
            _ = try await production(call, place).deploySchema(dryRun: false, ifTag: call.form["tag"] ?? "")
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, place: place, problem: error.pageText)
        }
        return .seeOther(place.within(.production).address(ConsoleView.schema.path))
    }

    private static func production(_ call: ConsoleCall, _ place: ConsolePlace) async throws -> any Administration {
        try await call.administration(place.within(.production))
    }

    private static func page(
        _ call: ConsoleCall, place: ConsolePlace, problem: String? = nil
    ) async throws -> Response {
        var content: [String: Any] = [
            "tabs": SchemaTab.contents(current: .deploy, place), "hidden": place.hidden,
        ]
        content["problem"] = problem
        do {
            let outcome = try await production(call, place).deploySchema(dryRun: true, ifTag: nil)
            content["steps"] = outcome.contents
            if outcome.steps.isEmpty {
                content["isSame"] = true
            } else {
                content["change"] = PageContent(["tag": outcome.tag ?? "", "count": "\(outcome.steps.count)"])
            }
        } catch let error as ServerError where error.code == .badRequest {
            content["problem"] = error.pageText
        }
        return try call.render(
            "console-deploy", "Deploy", view: .schema, place: place, content, status: problem == nil ? .ok : .badRequest
        )
    }
}
