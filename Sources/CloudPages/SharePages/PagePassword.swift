import CloudAccounts
package import CloudHTTP
import CloudWire
import CloudModel
import CloudStore
import Foundation

/// `POST /share/{id}/password`: exchanges a page's password for a cookie that opens only this page.
package enum PagePassword {
    package static let endpoint: PageEndpoint = { call in
        try call.requireOwnOrigin()
        let id = call.parameters[0]
        let base = SharedPage.path(of: id)
        let page: SharedPage
        do {
            _ = try await PageGate(call: call).open(id)
            return .seeOther(base)
        } catch SharePageRefusal.passwordNeeded(let closed) {
            page = closed
        } catch let refusal as SharePageRefusal {
            throw refusal.error
        }
        guard let link = page.link else { return .seeOther(base) }
        // Also counted by page: limits guesses from many addresses.
        let attempt = GuessingLimits.Attempt(
            guess: .pagePassword, client: call.client, subject: "\(page.container.id) \(page.settingsID)")
        let turn = try call.site.guessing.take(attempt)
        let password = String((call.form["password"] ?? "").prefix(PageSettings.longestPassword))
        guard try await call.site.accounts.pagePasswords.fits(password, link, turn: turn) else {
            // Logs the container only: the page's ID is itself a secret.
            call.site.security.note(.wrongPagePassword, from: call.client, ["container": page.container.name])
            let problem = Phrase("password.wrong")
            call.trace.refuse(problem.english, .credentials(.password))
            return try form(call.speaking(page), base: base, problem: problem)
        }
        call.site.guessing.giveBack(attempt)
        var response = Response.seeOther(base)
        response.setCookie(cookie(for: link, base: base, call))
        return response
    }

    private static func cookie(for link: PageSettings, base: String, _ call: PageCall) -> Cookie {
        let pass = PagePass(signer: call.site.pagePassSigner)
        return call.site.origin.cookie(
            PagePass.cookieName(of: link.id), pass.make(id: link.id, mark: link.passwordMark, now: call.site.time),
            for: call.request, maxAge: Int(PagePass.lifetime.components.seconds), path: base)
    }

    package static func form(_ call: PageCall, base: String, problem: Phrase?) throws -> Response {
        try call.sharePage(
            View(title: call.text("shared.something"), base: base, problem: problem.map(call.language.text)),
            status: .forbidden)
    }

    package struct View: WebPage {
        package static let template = "share-password"

        package let title: String
        package let base: String
        package let problem: String?

        package init(title: String, base: String, problem: String?) {
            self.title = title
            self.base = base
            self.problem = problem
        }
    }
}
