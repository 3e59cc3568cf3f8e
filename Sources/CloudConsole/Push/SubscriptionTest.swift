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
        return View(
            test: ConsoleFormView(form(subscriptions, names)), verdict: try await verdict())
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

    private func form(_ subscriptions: [SubscriptionInfo], _ names: KnownPeople) -> ConsoleForm {
        let given = { (name: String) in call.query[name] ?? "" }
        let choices = subscriptions.map { item in
            let name = item.subscription.object?["subscriptionID"]?.string ?? ""
            return (value: "\(item.id)", label: "\(name) of \(names[item.userRecordName])")
        }
        return ConsoleForm(
            title: "Would it fire?", path: ConsoleView.push.path, button: "Test", id: "test", hidden: place.hidden,
            fields: [
                .init(\SubscriptionTestChoice.id, "Would", .menu(choices), value: given("id")),
                .init(
                    \SubscriptionTestChoice.change, "fire on", labels: ["update": "update"], value: given("change")),
                .init(\SubscriptionTestChoice.recordName, "of record", .code, value: given("recordName")),
                FormField(\SubscriptionTestChoice.zone.user, "of", .code, value: given("user")).with {
                    $0.placeholder = "nobody: public"
                },
                FormField(\SubscriptionTestChoice.zone.zone, "in zone", .code, value: given("zone")).with {
                    $0.placeholder = "_defaultZone"
                },
            ])
    }

    struct View: PageView {
        let test: ConsoleFormView
        /// Nil before the form is sent.
        let verdict: Verdict?

        struct Verdict: PageView {
            let text: String
            let kind: String
        }
    }
}
