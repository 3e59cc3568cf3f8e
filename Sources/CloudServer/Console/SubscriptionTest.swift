import CloudModel
import CloudOperations

/// The form of the Push view that asks whether a subscription would fire for a record.
struct SubscriptionTest {
    let call: ConsoleCall
    let place: ConsolePlace

    func content(of subscriptions: [SubscriptionInfo]) async throws -> PageContent? {
        guard !subscriptions.isEmpty else { return nil }
        let query = call.query
        var content: [String: Any] = [
            "hidden": [("container", place.container), ("environment", place.environment.rawValue)]
                .map(PageContent.field),
            "choices": subscriptions.map { item in
                let name = item.subscription.object?["subscriptionID"]?.string ?? ""
                return option("id", "\(item.id)", "\(name) of \(item.userRecordName)")
            },
            "changes": ["update", "create", "delete"].map { option("change", $0, $0) },
            "recordName": query["recordName"] ?? "", "user": query["user"] ?? "", "zone": query["zone"] ?? "",
        ]
        content["verdict"] = try await verdict()
        return PageContent(content)
    }

    private func verdict() async throws -> PageContent? {
        let given = ["id", "recordName", "user", "zone", "change"].map { name in
            (name, call.query[name].flatMap { $0.isEmpty ? nil : $0 })
        }
        guard given.contains(where: { $0.0 == "recordName" && $0.1 != nil }) else { return nil }
        var arguments = place.arguments
        for (name, value) in given { arguments[name] = value.map(JSONValue.string) }
        do {
            let answer = try await call.operations.run(SubscriptionOperations.test, arguments)
            return PageContent(["text": answer.verdict, "kind": answer.fires ? "good" : "warn"])
        } catch let error as ServerError where [.badRequest, .notFound].contains(error.code) {
            return PageContent(["text": error.reason, "kind": "bad"])
        }
    }

    private func option(_ name: String, _ value: String, _ label: String) -> PageContent {
        var content: [String: Any] = ["value": value, "label": label]
        if call.query[name] == value { content["isChosen"] = true }
        return PageContent(content)
    }
}
