package import CloudHTTP
import Mustache

extension PageCall {
    /// A problem's text in the visitor's language.
    func shown(_ problem: PageError?) -> String? { problem.map { language.text($0.text) } }

    /// A page with a form.
    ///
    /// - Parameters:
    ///   - problem: the fault in the submitted form, which sets the status.
    ///   - view: makes the page from the value of the form guard.
    package func formPage(
        problem: PageError? = nil, policy: PagePolicy = PagePolicy(), _ view: (_ form: String) throws -> some WebPage
    ) throws -> Response {
        note(problem)
        let form = formGuard()
        var response = try page(view(form.value), status: problem?.status ?? .ok, policy: policy)
        if let cookie = form.cookie { response.setCookie(cookie) }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}

/// A hidden field of a form.
package struct FilledField: PageView, MustacheParent {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    package var shown: Any? { self }

    package func child(named name: String) -> Any? {
        switch name {
        case "name": self.name
        case "value": value
        default: nil
        }
    }
}
