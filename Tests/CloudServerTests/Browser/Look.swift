import CloudModel
import TestBrowser
import Testing

/// A page, its visitor, and an action before the check.
struct Look: Sendable {
    let name: String
    let path: String
    /// The email address of the person who is signed in.
    var person: String?
    var action = ""
    var signal = "true"
    /// True for the kinds of pages that are looked at in every language of the matrix.
    var isKind = false

    /// Pictures further down are not loaded before somebody goes there.
    static let shownArePainted = """
        [...document.images].every(image => image.complete && image.naturalWidth > 0
            || image.getBoundingClientRect().top > innerHeight)
        """

    static let painting = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

    /// Unfolds folded parts, which count too; menus stay, since they would cover the rest.
    static let unfold = "for (const details of document.querySelectorAll('details:not(.menu)')) details.open = true"

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

extension [Look] {
    /// The same looks; those of these names are kinds of pages.
    func withKinds(_ names: Set<String>) -> [Look] {
        map { look in
            var look = look
            look.isKind = names.contains(look.name)
            return look
        }
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

extension BrowserPage {
    /// The lines of a page, save those of controls that need scripts, and of what was read for this very request: the
    /// first query of a kind has an index built for the next. Numbers and ages may have grown in between.
    private static let lines = """
        (() => {
            const times = [...document.querySelectorAll("time")].map(time => [time, time.textContent])
            for (const [time] of times) time.textContent = "age"
            // A tile outside of the window has no words.
            const tiles = [...document.querySelectorAll(".tile")]
            for (const tile of tiles) tile.style.contentVisibility = "visible"
            const lines = text => text.split("\\n").map(line => line.trim().replace(/[0-9]+/g, "0"))
            const scripted = [...document.querySelectorAll(".scripted, .plan")].flatMap(element => lines(element.innerText))
            const found = lines(document.body.innerText).filter(line => line && !scripted.includes(line))
            for (const [time, text] of times) time.textContent = text
            for (const tile of tiles) tile.style.contentVisibility = ""
            return found
        })()
        """

    /// The lines that the page must have without scripts too.
    func words() async throws -> [JSONValue] {
        let words = try await evaluate(Self.lines).array ?? []
        #expect(!words.isEmpty)
        return words
    }

    /// Loads a page without scripts.
    ///
    /// - Returns: the lines missing without scripts.
    func withoutScripts(_ words: [JSONValue], _ look: Look, at origin: String) async throws -> [JSONValue] {
        try await send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
        try await open("about:blank")
        try await open(origin + look.path)
        let without = Set(try await evaluate(Self.lines).array ?? [])
        try await send("Emulation.setScriptExecutionDisabled", ["value": .bool(false)])
        return words.filter { !without.contains($0) }
    }
}
