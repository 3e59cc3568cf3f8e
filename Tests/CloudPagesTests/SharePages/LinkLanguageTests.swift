import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// The language that an owner sets for a link.
@Suite(.timeLimit(.minutes(5)))
struct LinkLanguageTests {
    private func page(_ trip: TripFixture, _ query: String = "", accepts: String? = nil) async throws -> String {
        var headers: HTTPFields = [:]
        headers[.acceptLanguage] = accepts
        return try await trip.server.send(.get, trip.path + query, headers: headers).text
    }

    @Test("A link's language is that of visitors who ask for none that there is") func choice() async throws {
        try await TripFixture.run { trip in
            let answer = try await trip.settle(#"{"language": "DE"}"#)
            #expect(answer["language"]?.string == "de")
            for accepted in [nil, "*", "xx"] as [String?] {
                let page = try await page(trip, accepts: accepted)
                #expect(page.contains(#"<html lang="de""#), "\(accepted ?? "none")")
                #expect(page.contains(#"<meta property="og:locale" content="de_DE">"#))
            }
            #expect(try await page(trip, accepts: "fr").contains(#"<html lang="fr""#))
            #expect(try await page(trip, "?lang=ja").contains(#"<html lang="ja""#))
            let kept = WebVisitor(trip.server)
            _ = try await kept.open("/auth/signin?lang=it")
            #expect(try await kept.open(trip.path).text.contains(#"<html lang="it""#))
            #expect(try await trip.settle(#"{"language": null}"#)["language"] == nil)
            #expect(try await page(trip).contains(#"<html lang="en""#))
        }
    }

    @Test("A locked page speaks the link's language") func locked() async throws {
        try await TripFixture.run { trip in
            _ = try await trip.settle(#"{"language": "de", "password": "fado fado"}"#)
            #expect(try await page(trip).contains(#"<html lang="de""#))
        }
    }

    @Test("A language without texts is refused with the languages there are")
    func refused() async throws {
        try await TripFixture.run { trip in
            for value in ["\"xx\"", "7", "\"\"", "[]"] {
                let answer = try await trip.settle(#"{"language": \#(value)}"#)
                #expect(answer.status == 400, "\(value)")
                #expect(answer["reason"]?.string?.hasPrefix("language: must be one of ar, de, en, ") == true)
            }
        }
    }

    @Test("The owner chooses the language on the page, by its own name") func form() async throws {
        try await TripFixture.run { trip in
            let owner = try await trip.browser(of: "mei@example.com")
            let page = try await owner.open(trip.path).text
            #expect(page.contains(#"<option value="" selected>As on this server</option>"#))
            #expect(page.contains(#"<option value="pt-BR">Português"#))
            _ = try await owner.submit("\(trip.path)/settings", ["expires": "keep", "language": "de"])
            #expect(try await self.page(trip).contains(#"<html lang="de""#))
            // An unknown language changes nothing.
            _ = try await owner.submit("\(trip.path)/settings", ["expires": "keep", "language": "xx"])
            #expect(try await self.page(trip).contains(#"<html lang="de""#))
            _ = try await owner.submit("\(trip.path)/settings", ["expires": "keep", "language": ""])
            #expect(try await self.page(trip).contains(#"<html lang="en""#))
        }
    }
}
