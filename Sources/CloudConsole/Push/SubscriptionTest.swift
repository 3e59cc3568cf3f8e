import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// The Push view's form that tests whether a subscription fires for a record.
struct SubscriptionTest {
    let call: ConsoleCall
    let place: ConsolePlace

    /// - Returns: nil without subscriptions.
    func view(of subscriptions: [SubscriptionInfo], _ names: KnownPeople) async throws -> View? {
        guard !subscriptions.isEmpty else { return nil }
        let query = call.query
        return View(
            hidden: place.hidden,
            choices: subscriptions.map { item in
                let name = item.subscription.object?["subscriptionID"]?.string ?? ""
                return choice("id", "\(item.id)", "\(name) of \(names[item.userRecordName])")
            },
            changes: ["update", "create", "delete"].map { choice("change", $0, $0) },
            recordName: query["recordName"] ?? "", user: query["user"] ?? "", zone: query["zone"] ?? "",
            verdict: try await verdict())
    }

    private func verdict() async throws -> View.Verdict? {
        let given = ["id", "recordName", "user", "zone", "change"].map { name in
            (name, call.query[name].flatMap { $0.isEmpty ? nil : $0 })
        }
        guard given.contains(where: { $0.0 == "recordName" && $0.1 != nil }) else { return nil }
        var arguments = place.arguments
        for (name, value) in given { arguments[name] = value.map(JSONValue.string) }
        do {
            let answer = try await call.operations.run(SubscriptionOperations.test, arguments)
            return View.Verdict(text: answer.verdict, kind: answer.fires ? "good" : "warn")
        } catch let error as ServerError where [.badRequest, .notFound].contains(error.code) {
            return View.Verdict(text: error.reason, kind: "bad")
        }
    }

    private func choice(_ name: String, _ value: String, _ label: String) -> Choice {
        Choice(value: value, label: label, isChosen: call.query[name] == value)
    }

    struct View: PageView {
        let hidden: [FilledField]
        /// The subscriptions to choose from.
        let choices: [Choice]
        let changes: [Choice]
        let recordName: String
        let user: String
        let zone: String
        /// Nil before the form is sent.
        let verdict: Verdict?

        struct Verdict: PageView {
            let text: String
            let kind: String
        }
    }
}
