import TestBrowser

/// A page, who sees it, and what is done there before it is looked at.
struct Look: Sendable {
    let name: String
    let path: String
    /// The email address of the person who is signed in.
    var person: String?
    var action = ""
    var signal = "true"

    /// Pictures further down are not loaded before somebody goes there.
    static let shownArePainted = """
        [...document.images].every(image => image.complete && image.naturalWidth > 0
            || image.getBoundingClientRect().top > innerHeight)
        """

    static let painting = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

    /// Opens the page anew, and waits until all of it can be seen.
    func show(on page: BrowserPage, at origin: String) async throws {
        // Another page in between: the same one with a photo's mark would not be loaded anew.
        try await page.open("about:blank")
        try await page.open(origin + path)
        try await page.evaluate(action)
        try await page.wait(for: signal)
        try await page.wait(for: Self.shownArePainted)
        try await page.evaluate(Self.painting)
    }
}

extension [Look] {
    /// The people who see them, in an order in which nobody ends what the next one is to see.
    var people: [String?] {
        reduce(into: []) { people, look in if !people.contains(look.person) { people.append(look.person) } }
    }
}

extension BrowserPage {
    /// Signs a test person in to a development server.
    func signIn(_ person: String, at origin: String) async throws {
        try await open("\(origin)/auth/signin")
        // Not with the mouse: a long name may move the button while the page is laid out.
        try await load { try await evaluate("document.querySelector(\"button[value='\(person)']\").click()") }
    }
}
