import CloudAccounts
import CloudHTTP
import CloudModel
import CloudTransfer

/// `/account/delete`: lists the data that a deletion removes, and deletes the account.
package enum AccountDeletionPage {
    package static let show: PageEndpoint = { call in
        guard let account = try await call.session()?.account else {
            return AccountPage.signIn(back: "/account/delete")
        }
        return try await page(call, account)
    }

    package static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else {
            return AccountPage.signIn(back: "/account/delete")
        }
        do {
            try await call.requirePassword(of: account, in: "password")
            try await call.deletion.run(email: account.idText)
        } catch let problem as PageError {
            return try await page(call, account, problem: problem)
        } catch let error as ServerError where error.code == .conflict {
            return try await page(call, account, problem: PageError(error))
        }
        return try call.page(
            DoneView(
                title: call.text("deleted.title"),
                email: account.email ?? account.displayName(in: call.language)))
    }

    private static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil
    ) async throws -> Response {
        let places = try await DataPlaceView.all(of: account, call)
        let hasPassword = try await call.site.hasPassword(account)
        return try call.formPage(problem: problem) { form in
            View(
                title: call.text("delete.title"), form: form,
                email: account.email ?? account.displayName(in: call.language), problem: call.shown(problem),
                hasPassword: hasPassword,
                hasData: !places.isEmpty, places: places)
        }
    }

    package struct View: WebPage {
        package static let template = "account-delete"

        package let title: String
        package let form: String
        package let email: String
        package let problem: String?
        package let hasPassword: Bool
        let hasData: Bool
        package let places: [DataPlaceView]

        package init(
            title: String, form: String, email: String, problem: String?, hasPassword: Bool, hasData: Bool,
            places: [DataPlaceView]
        ) {
            self.title = title
            self.form = form
            self.email = email
            self.problem = problem
            self.hasPassword = hasPassword
            self.hasData = hasData
            self.places = places
        }
    }

    package struct DoneView: WebPage {
        package static let template = "account-deleted"

        package let title: String
        package let email: String
    }
}
