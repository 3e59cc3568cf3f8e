import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/push`: latest notifications, devices, subscriptions, webhooks and dead letters.
enum PushView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let after = call.query.filled("notification")
        let sent = try await call.operations.run(NotificationOperations.list, place.arguments(["after": after]))
        let subscriptions = try await call.operations.run(
            SubscriptionOperations.list, place.arguments(["after": call.query["subscription"], "limit": "50"]))
        let devices = try await call.operations.run(
            SubscriptionOperations.devices, place.arguments(["after": call.query["device"], "limit": "50"]))
        let webhooks = try await call.operations.run(
            WebhookOperations.list,
            [
                "container": .string(place.container), "after": call.query.filled("webhook").map(JSONValue.string),
            ])
        let letters = try await Self.letters(of: webhooks.items, place, call)
        let names = try await KnownPeople(
            call,
            sent.items.map(\.userRecordName) + subscriptions.items.map(\.userRecordName)
                + devices.items.map(\.userRecordName), in: place.container)
        let content = SheetsContent(
            now: call.now,
            sheets: [
                Self.devices(devices, place, names),
                Self.subscriptions(subscriptions, place, names),
                Self.webhooks(webhooks, place, after: call.query.filled("webhook")), letters,
            ], live: NotificationSheet.make(sent, place, names),
            trial: try await SubscriptionTest(call: call, place: place).view(of: subscriptions.items, names))
        return try call.render(content, title: "Push", view: .push, place: place, isLive: after == nil)
    }

    static let change: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let webhook: Arguments = ["webhook": call.form["webhook"].map(JSONValue.string)]
        switch call.form["do"] {
        case "retry" where webhook.has("webhook"): _ = try await call.operations.run(WebhookOperations.retry, webhook)
        case "clear" where webhook.has("webhook"): _ = try await call.operations.run(WebhookOperations.clear, webhook)
        case "test":
            _ = try await call.operations.run(
                NotificationOperations.sendTest, place.arguments(["id": try call.form.text("device")]))
        default: throw ServerError.unknownAction
        }
        return .seeOther(place.address(ConsoleView.push.path))
    }

    private static func subscriptions(
        _ page: Page<SubscriptionInfo>, _ place: ConsolePlace, _ names: KnownPeople
    ) -> Sheet {
        Sheet(
            title: "Subscriptions",
            columns: [
                .init(title: "Subscription"), .init(title: "User"), .init(title: "Database"), .init(title: "Kind"),
                .init(title: "Record type"), .init(title: "Fires on"),
            ],
            rows: page.items.map { item in
                let body = item.subscription.object
                return [
                    .name(body?["subscriptionID"]?.string ?? ""), names.cell(item.userRecordName),
                    Sheet.Cell(item.database),
                    Sheet.Cell(body?["subscriptionType"]?.string ?? ""),
                    .name(body?["query"]?.object?["recordType"]?.string ?? ""),
                    Sheet.Cell((body?["firesOn"]?.array ?? []).compactMap(\.string).joined(separator: ", ")),
                ]
            }, empty: "Nobody has subscribed to anything here.",
            next: page.next.map { place.address(ConsoleView.push.path, ["subscription": $0]) })
    }

    private static func devices(_ page: Page<DeviceInfo>, _ place: ConsolePlace, _ names: KnownPeople) -> Sheet {
        Sheet(
            title: "Devices",
            columns: [
                .init(title: "User"), .init(title: "Client"), .init(title: "Waiting", isNumber: true),
                .init(title: "Waiting since"), .init(title: "Expires"), .init(title: "Test"),
            ],
            rows: page.items.map { device in
                let test = Sheet.Action(
                    label: "Send a test", fields: place.fields + [("device", "\(device.id)"), ("do", "test")])
                return [
                    names.cell(device.userRecordName), .name(device.clientID ?? ""), .amount(device.queued),
                    .time(device.waitingSince), .time(device.expires), Sheet.Cell("", action: test),
                ]
            }, empty: "No push token is registered here.",
            next: page.next.map { place.address(ConsoleView.push.path, ["device": $0]) })
    }

    /// The number of a webhook's dead letters, linked to the list.
    private static func letters(of webhook: WebhookInfo, _ place: ConsolePlace, page: String?) -> Sheet.Cell {
        var cell = Sheet.Cell.number(webhook.deadLetters)
        if webhook.deadLetters > 0 {
            cell.link = place.address(ConsoleView.push.path, ["webhook": page, "letters": "\(webhook.id)"])
        }
        return cell
    }

    private static func webhooks(_ page: Page<WebhookInfo>, _ place: ConsolePlace, after: String?) -> Sheet {
        Sheet(
            title: "Webhooks", note: "both environments",
            columns: [
                .init(title: "URL"), .init(title: "Environment"), .init(title: "Dead letters", isNumber: true),
                .init(title: "Send again"), .init(title: "Drop"),
            ],
            rows: page.items.map { webhook in
                let action = { (name: String, label: String) in
                    Sheet.Cell(
                        "",
                        action: webhook.deadLetters == 0
                            ? nil
                            : Sheet.Action(
                                label: label,
                                fields: place.fields + [("webhook", "\(webhook.id)"), ("do", name)]))
                }
                return [
                    .name(webhook.url),
                    Sheet.Cell(webhook.environment.label, badge: "env \(webhook.environment.rawValue)"),
                    letters(of: webhook, place, page: after), action("retry", "Send again"), action("clear", "Drop"),
                ]
            }, empty: "There are no webhooks. 'cumulus webhook add' makes one.",
            next: page.next.map { place.address(ConsoleView.push.path, ["webhook": $0]) })
    }

    /// The first dead letters of each webhook, or a page of a single webhook's dead letters.
    private static func letters(
        of webhooks: [WebhookInfo], _ place: ConsolePlace, _ call: ConsoleCall
    ) async throws -> Sheet {
        let chosen = call.query.filled("letters")
        var sheet = letters([])
        for webhook in webhooks where webhook.deadLetters > 0 && (chosen ?? "\(webhook.id)") == "\(webhook.id)" {
            let page = try await call.operations.run(
                WebhookOperations.deadLetters,
                [
                    "webhook": .integer(webhook.id), "limit": .integer(50),
                    "after": chosen == nil ? nil : call.query.filled("letter").map(JSONValue.string),
                ])
            sheet.rows += letters(page.items).rows
            // Paging continues with the first webhook that has more dead letters; the webhooks table links to each
            // webhook's own list.
            if sheet.next == nil, let next = page.next {
                sheet.next = place.address(
                    ConsoleView.push.path,
                    ["webhook": call.query.filled("webhook"), "letters": "\(webhook.id)", "letter": next])
            }
        }
        return sheet
    }

    private static func letters(_ letters: [DeadLetterInfo]) -> Sheet {
        Sheet(
            title: "Dead letters",
            columns: [
                .init(title: "Message"), .init(title: "Webhook", isNumber: true),
                .init(title: "Attempts", isNumber: true),
                .init(title: "Last attempt"), .init(title: "Last fault"),
            ],
            rows: letters.map {
                [
                    .name($0.message), .number($0.webhook), .number($0.attempts), .time($0.lastAttempt),
                    Sheet.Cell($0.fault),
                ]
            }, empty: "Webhooks have taken every message.")
    }
}

extension ConsolePlace {
    /// The hidden fields with this place.
    fileprivate var fields: [(name: String, value: String)] {
        [("container", container), ("environment", environment.rawValue)]
    }
}
