import CloudHTTP
import CloudWire
import Foundation
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer

@Suite("Pages in the visitor's language", .timeLimit(.minutes(2))) struct LanguagePageTests {
    private func headers(_ language: String?) -> HTTPFields {
        var headers: HTTPFields = [.accept: "text/html"]
        headers[.acceptLanguage] = language
        return headers
    }

    @Test("A page has the language that the browser accepts, and tells caches what it depends on")
    func accepted() async throws {
        try await TestServer.run { server in
            let german = try await server.send(.get, "/auth/signin", headers: headers("sv, de-CH;q=0.9, en;q=0.1"))
            #expect(german.text.contains(#"<html lang="de">"#))
            #expect(german.text.contains("<h1>Anmelden</h1>"))
            #expect(!german.text.contains("Sign in"))
            #expect(german.headers[.vary] == "Accept-Language, Cookie")
            let arabic = try await server.send(.get, "/auth/signin", headers: headers("ar"))
            #expect(arabic.text.contains(#"<html lang="ar" dir="rtl">"#))
            let english = try await server.send(.get, "/auth/signin", headers: headers(nil))
            #expect(english.text.contains(#"<html lang="en">"#))
        }
    }

    @Test("?lang= is kept in a cookie, and the menu repeats the page with the other fields of its query")
    func switching() async throws {
        try await TestServer.run { server in
            let visitor = WebVisitor(server)
            let page = try await visitor.open("/auth/signin?return=/account&other=1&lang=fr").text
            #expect(page.contains(#"<html lang="fr">"#))
            #expect(visitor.cookie("cumulus_lang") == "fr")
            let menu = try #require(page.firstMatch(of: #/(?s)<form class="languages".*?<\/form>/#)?.output)
            #expect(menu.contains(#"method="get" action="/auth/signin""#))
            #expect(menu.contains(#"<input type="hidden" name="other" value="1">"#))
            #expect(menu.contains(#"<input type="hidden" name="return" value="/account">"#))
            #expect(!menu.contains(#"name="lang" value"#))
            #expect(menu.matches(of: #/<option value="[^"]+" lang="[^"]+"( selected)?>/#).count == 14)
            #expect(menu.contains(#"<option value="fr" lang="fr" selected>Français</option>"#))
            #expect(try await visitor.open("/auth/forgot").text.contains(#"<html lang="fr">"#))
            let unknown = try await visitor.open("/auth/signin?lang=xx")
            #expect(unknown.text.contains(#"<html lang="fr">"#))
            #expect(visitor.cookie("cumulus_lang") == "fr")
        }
    }

    @Test("The answer to a form has no menu of languages") func formAnswer() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin?lang=it")
            let answer = try await visitor.submit("/auth/signin", ["email": SignInFixture.email, "password": "x"])
            #expect(answer.status == 401)
            #expect(answer.text.contains("Indirizzo e-mail o password errati."))
            #expect(!answer.text.contains(#"class="languages""#))
        }
    }

    @Test("The console stays English") func console() async throws {
        try await TestServer.run { server in
            for path in ["/console/signin", "/console/overview", "/console/nowhere"] {
                let page = try await server.send(.get, path, headers: headers("de"))
                #expect(!page.text.contains(#"lang="de""#), "\(path)")
                #expect(!page.text.contains(#"class="languages""#), "\(path)")
            }
        }
    }

    @Test("pages.language is for visitors whose languages are missing") func setting() async throws {
        try await TestServer.run(configure: { $0.language = "nl" }) { server in
            let dutch = try await server.send(.get, "/nowhere", headers: headers("sv"))
            #expect(dutch.text.contains(#"<html lang="nl">"#))
            let german = try await server.send(.get, "/nowhere", headers: headers("de"))
            #expect(german.text.contains(#"<html lang="de">"#))
        }
    }

    @Test("pages.language without texts is refused with the languages that there are") func unknownSetting() async {
        let error = await #expect(throws: TextTable.Broken.self) {
            try await TestServer.run(configure: { $0.language = "sv" }) { _ in }
        }
        #expect(error?.description.hasPrefix("pages.language is 'sv', for which there are no texts") == true)
    }

    @Test(
        "A refusal has a sentence in each language",
        arguments: Languages.own.all.map(\.tag).filter { $0 != "en" })
    func refusals(tag: String) throws {
        let language = try #require(Languages.own.named(tag))
        for key in PageLanguage.english.keys where key.hasPrefix("reason.") {
            guard case .plain(let text) = PageLanguage.english.entry(key) else { continue }
            let english = text.replacing(#/\{[a-z]+\}/#, with: "12")
            let shown = language.text(Phrase.reason(english, otherwise: Phrase("refused.other.text")))
            #expect(shown != language.text("refused.other.text"), "\(key)")
            #expect(!shown.contains("{"), "\(key)")
        }
        let unknown = Phrase.reason("Something technical.", otherwise: Phrase("refused.other.text"))
        #expect(language.text(unknown) == language.text("refused.other.text"))
        #expect(unknown.english == "Something technical.")
    }

    @Test("A form's refusal by the accounts is told in the visitor's language") func formRefusal() async throws {
        let open: @Sendable (inout ServerConfiguration) -> Void = {
            $0.registration.isOpen = true
            $0.publicURL = "http://localhost"
        }
        try await SignInFixture.run(configure: open) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/register?lang=de")
            let name = String(repeating: "n", count: 101)
            for (email, password, name, text) in [
                ("noor0@example.com", "short", "", "Ein Passwort hat mindestens 8 Zeichen"),
                ("noor1@example.com", "aaaaaaaaaaaa", "", "Es ist ein einziges Zeichen, wiederholt."),
                ("noor2@example.com", "password123", "", "Es ist eins der häufigsten."),
                ("noor3@example.com", "noor3@example.com", "", "Es ist die E-Mail-Adresse."),
                ("noor", "battery staple", "", "ist keine E-Mail-Adresse"),
                ("", "battery staple", "", "Die E-Mail-Adresse fehlt."),
                ("noor4@example.com", "battery staple", name, "Der Vorname ist länger als 100 Byte."),
            ] {
                let answer = try await visitor.submit(
                    "/auth/register", ["email": email, "password": password, "givenName": name])
                #expect(answer.status == 400)
                #expect(answer.text.contains(text), "\(text)")
            }
        }
    }
}
