import CloudWire
import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// `/console/people`: accounts by address, with a search.
enum PeopleView {
    static let show: ConsoleEndpoint = { try await page($0) }

    private static func page(_ call: ConsoleCall, problem: String? = nil) async throws -> Response {
        let matching = call.query["matching"].flatMap { $0.isEmpty ? nil : $0 }
        var arguments: Arguments = ["limit": .integer(100)]
        arguments["matching"] = matching.map(JSONValue.string)
        arguments["after"] = call.query["after"].map(JSONValue.string)
        let page = try await call.operations.run(UserOperations.list, arguments)
        let sheet = Sheet(
            title: "Accounts",
            columns: [
                .init(title: "Address"), .init(title: "Name"), .init(title: "State"), .init(title: "Password"),
                .init(title: "Since"),
            ],
            rows: page.items.map { user in
                [
                    Sheet.Cell(user.name, link: PersonView.address(user.name)), Sheet.Cell(user.fullName),
                    Sheet.Cell(user.state, badge: user.state == "active" ? "good" : "warn"),
                    Sheet.Cell(user.hasPassword ? "set" : "none"), .time(user.created),
                ]
            },
            empty: matching == nil
                ? "Nobody has an account yet."
                : "No address or name has '\(matching ?? "")' in it.",
            next: page.next.map {
                ConsoleAddress.make(ConsoleView.people.path, [("matching", matching), ("after", $0)])
            })
        let search = SheetsContent.Search(label: "Address, name or user record name", value: matching ?? "")
        return try call.render(
            SheetsContent(
                now: call.now, sheets: [sheet], links: [PageLink(label: "New account", address: "#invite")],
                problem: problem, search: search, forms: [invitation]), title: "People",
            view: .people, place: try await call.place(of: call.query), status: problem == nil ? .ok : .badRequest)
    }

    private static var invitation: ConsoleForm {
        ConsoleForm(
            title: "New account", path: ConsoleView.people.path, button: "Make the account", action: "invite",
            fields: [
                .init(\NewUser.email, "Address"), .init(\NewUser.givenName),
                .init(\NewUser.familyName),
            ], note: "They get a mail that tells how to sign in.")
    }

    /// Creates an account, and mails its owner a link to set a password.
    static let invite: ConsoleEndpoint = { call in
        do {
            let email = try call.form.text("email")
            _ = try await call.operations.run(
                UserOperations.create,
                [
                    "email": .string(email), "givenName": call.form.filled("givenName").map(JSONValue.string),
                    "familyName": call.form.filled("familyName").map(JSONValue.string),
                ])
            return try await invite(email, call)
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, problem: error.pageText)
        }
    }

    /// Mails the owner of a new account; the account stays if the mail fails.
    private static func invite(_ email: String, _ call: ConsoleCall) async throws -> Response {
        do {
            _ = try await call.operations.run(UserOperations.invite, ["email": .string(email)])
            return .seeOther(PersonView.address(email))
        } catch let error as ServerError where error.isAboutForm {
            return try await PersonView.page(call, email, problem: "The account is made. " + error.pageText)
        }
    }
}

extension UserInfo {
    var fullName: String { [givenName, familyName].compactMap(\.self).joined(separator: " ") }
    var state: String { disabled ? "disabled" : emailVerified || email == nil ? "active" : "unverified" }
}

/// `/console/person`: an account with its sessions and containers.
enum PersonView {
    static func address(_ email: String) -> String { ConsoleAddress.make("/console/person", [("email", email)]) }

    static let show: ConsoleEndpoint = { call in
        if call.query["view"] == "deletion" { return try await PersonDeletionView.show(call) }
        return try await page(call, try call.query.text("email"))
    }

    static func page(_ call: ConsoleCall, _ email: String, problem: String? = nil) async throws -> Response {
        let user = try await call.operations.run(UserOperations.show, ["email": .string(email)])
        let sessions = try await call.operations.run(
            SessionOperations.list,
            ["email": .string(email), "after": call.query.filled("session").map(JSONValue.string)])
        let audit = try await call.operations.run(
            AuditOperations.list, ["person": .string(email), "limit": .integer(20)])
        var done = AuditSheet.make(audit.items, title: "Done by operators")
        done.next = audit.next.map { AuditView.address(person: email, after: $0) }
        let usage = try await call.operations.run(UsageOperations.show, ["email": .string(email)])
        let facts = [
            ("Name", user.fullName), ("Phone", user.phone ?? ""), ("State", user.state),
            ("Password", user.hasPassword ? "set" : "none"), ("Since", user.created.inFull),
        ].map { Fact(title: $0.0, value: $0.1.isEmpty ? "none" : $0.1) }
        let deletion = PageLink(
            label: "Delete…", address: PersonDeletionView.address(user.name), isDanger: true)
        let content = SheetsContent(
            now: call.now,
            sheets: [
                sessionSheet(sessions, of: user), places(usage), done,
            ], links: [deletion], buttons: buttons(user, takesPasswords: call.page.site.takesPasswords),
            problem: problem, facts: facts,
            forms: [PersonAddressForm.form(user)])
        return try call.render(
            content, title: user.name, view: .people, place: try await call.place(),
            status: problem == nil ? .ok : .badRequest)
    }

    static let change: ConsoleEndpoint = { call in
        let email = try call.form.text("email")
        do { return .seeOther(try await changed(call, email)) } catch let error as ServerError where error.isAboutForm {
            return try await page(call, email, problem: error.pageText)
        }
    }

    /// Applies the form's change.
    ///
    /// - Returns: the address to redirect to.
    private static func changed(_ call: ConsoleCall, _ email: String) async throws -> String {
        let arguments: Arguments = ["email": .string(email)]
        switch call.form["do"] {
        case "disable": _ = try await call.operations.run(UserOperations.disable, arguments)
        case "enable": _ = try await call.operations.run(UserOperations.enable, arguments)
        case "confirm": _ = try await call.operations.run(UserOperations.confirm, arguments)
        case "reset": _ = try await call.operations.run(UserOperations.mailReset, arguments)
        case "sign-out": _ = try await call.operations.run(SessionOperations.revokeAll, arguments)
        case PersonAddressForm.action: return try await PersonAddressForm.apply(call, to: email)
        case "delete":
            _ = try await call.operations.run(DeletionOperations.run, arguments)
            return ConsoleView.people.path
        case "end":
            _ = try await call.operations.run(SessionOperations.revoke, ["id": .string(try call.form.text("id"))])
        default: throw ServerError.unknownAction
        }
        return address(email)
    }

    /// `POST /console/download`: streams a zip of a person's data.
    static let download: ConsoleEndpoint = { call in
        let export = try await call.operations.run(
            PersonExportOperation.run, ["email": .string(try call.form.text("email"))])
        return try call.page.site.wire.downloads.response(export)
    }

    private static func buttons(_ user: UserInfo, takesPasswords: Bool) -> [SheetsContent.Button] {
        var actions = [("sign-out", "Sign out everywhere")]
        actions.append(user.disabled ? ("enable", "Enable") : ("disable", "Disable"))
        if takesPasswords, user.emailVerified, !user.disabled {
            actions.append(("reset", "Mail a code for a new password"))
        }
        if !user.emailVerified, user.email != nil { actions.append(("confirm", "Take the address for confirmed")) }
        let email = FilledField(name: "email", value: user.name)
        let changes = actions.map { action, label in
            SheetsContent.Button(
                label: label, path: "/console/person", fields: [email, FilledField(name: "do", value: action)])
        }
        let download = SheetsContent.Button(
            label: "Download the data", path: "/console/download", fields: [email], isLook: true)
        return changes + [download]
    }

    private static func sessionSheet(_ page: Page<SessionInfo>, of user: UserInfo) -> Sheet {
        Sheet(
            title: "Signed in",
            columns: [
                .init(title: "Where"), .init(title: "Environment"), .init(title: "Last used"), .init(title: "Until"),
                .init(title: "Action"),
            ],
            rows: page.items.sorted { $0.lastUsed > $1.lastUsed }.map { session in
                [
                    .name(session.container ?? "browser"), Sheet.Cell(session.environment?.rawValue ?? ""),
                    .time(session.lastUsed), .time(session.expires),
                    Sheet.Cell(
                        "",
                        action: Sheet.Action(
                            label: "End", fields: [("email", user.name), ("id", session.id), ("do", "end")])),
                ]
            }, empty: "Signed in nowhere.",
            next: page.next.map {
                ConsoleAddress.make("/console/person", [("email", user.name), ("session", $0)])
            })
    }

    private static func places(_ usage: PersonUsageInfo) -> Sheet {
        Sheet(
            title: "Has been in",
            columns: [
                .init(title: "Container"), .init(title: "Environment"), .init(title: "User record name"),
                .init(title: "Records", isNumber: true), .init(title: "Stored", isNumber: true),
                .init(title: "Assets", isNumber: true), .init(title: "Data"),
            ],
            rows: usage.environments.map { place in
                let there = ConsolePlace(container: place.container, environment: place.environment, containers: [])
                return [
                    .name(place.container), Sheet.Cell(place.environment.rawValue), .name(place.userRecordName),
                    .part(place.records, of: usage.quota.records), .size(place.bytes, of: usage.quota.bytes),
                    .size(place.assetBytes, of: usage.quota.assetBytes),
                    Sheet.Cell(
                        "Private data", link: there.address("/console/data", ["user": place.userRecordName])),
                ]
            }, empty: "This account has been in no container.")
    }
}
