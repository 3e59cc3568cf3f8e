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
        return try call.site.page(DoneView(email: account.email ?? account.displayName))
    }

    private static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil
    ) async throws -> Response {
        let places = try await call.dataPlaces(of: account)
        let hasPassword = try await call.site.accounts.users.hasPassword(account)
        return try call.formPage(problem: problem) { form in
            View(
                form: form, email: account.email ?? account.displayName, problem: problem?.text,
                hasPassword: hasPassword,
                hasData: !places.isEmpty, places: places)
        }
    }

    package struct View: WebPage {
        package static let template = "account-delete"

        package let title = "Delete your account?"
        package let form: String
        package let email: String
        package let problem: String?
        package let hasPassword: Bool
        let hasData: Bool
        package let places: [DataPlaceView]

        package init(
            form: String, email: String, problem: String?, hasPassword: Bool, hasData: Bool, places: [DataPlaceView]
        ) {
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

        package let title = "Your account is deleted"
        package let email: String
    }
}
