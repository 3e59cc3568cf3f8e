import CloudModel
import CloudStore

/// `/account/delete`: lists the data that a deletion removes, and deletes the account.
enum AccountDeletionPage {
    static let show: PageEndpoint = { call in
        guard let account = try await call.session()?.account else {
            return AccountPage.signIn(back: "/account/delete")
        }
        return try await page(call, account)
    }

    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else {
            return AccountPage.signIn(back: "/account/delete")
        }
        do {
            try await call.requirePassword(of: account, in: "password")
            try await call.deletion.run(email: account.email)
        } catch let problem as PageError {
            return try await page(call, account, problem: problem)
        } catch let error as ServerError where error.code == .conflict {
            return try await page(call, account, problem: PageError(error))
        }
        return try call.site.page(DoneView(email: account.email))
    }

    private static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil
    ) async throws -> Response {
        let places = try await call.dataPlaces(of: account)
        let hasPassword = try await call.site.accounts.users.hasPassword(account)
        return try call.formPage(problem: problem) { form in
            View(
                form: form, email: account.email, problem: problem?.text, hasPassword: hasPassword,
                hasData: !places.isEmpty, places: places)
        }
    }

    struct View: WebPage {
        static let template = "account-delete"

        let title = "Delete your account?"
        let form: String
        let email: String
        let problem: String?
        let hasPassword: Bool
        let hasData: Bool
        let places: [DataPlaceView]
    }

    struct DoneView: WebPage {
        static let template = "account-deleted"

        let title = "Your account is deleted"
        let email: String
    }
}
