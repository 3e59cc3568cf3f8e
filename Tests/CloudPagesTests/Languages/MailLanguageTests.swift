import CloudEngine
import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudAccounts
@testable import CloudPages
@testable import CloudServer
@testable import CloudWire

@Suite("Mail in the visitor's language", .timeLimit(.minutes(2))) struct MailLanguageTests {
    private static let open: @Sendable (inout ServerConfiguration) -> Void = {
        $0.registration.isOpen = true
        $0.publicURL = "http://localhost"
    }

    private func messages(_ server: TestServer) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: server.folder.outbox).map {
            try String(contentsOfFile: server.folder.outbox + "/" + $0, encoding: .utf8)
        }
    }

    @Test("Registration writes in the language of its page", arguments: Languages.own.all.map(\.tag))
    func registration(tag: String) async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/register?lang=\(tag)")
            let answer = try await visitor.submit(
                "/auth/register", ["email": "noor@example.com", "password": "battery staple"])
            #expect(answer.status == 303)
            let message = try #require(try messages(fixture.server).first)
            let language = try #require(Languages.own.named(tag))
            let (head, body) = try #require(
                message.range(of: "\n\n").map { (message[..<$0.lowerBound], message[$0.upperBound...]) })
            #expect(head.utf8.allSatisfy { $0 == 10 || (0x20..<0x7F).contains($0) })
            #expect(head.split(separator: "\n").allSatisfy { $0.count <= 85 })
            #expect(body.contains(#/\d{8}/#) && body.contains("http://localhost"))
            #expect(!body.contains("{") && !body.contains("mail."))
            let beginning = try #require(
                TextTable.pieces(language.text("mail.code.text"))?.first.map { piece in
                    if case .literal(let text) = piece { String(text) } else { "" }
                })
            #expect(body.hasPrefix(beginning))
            #expect(body.hasSuffix("\n-- \nlocalhost\n"))
            // Somebody registered by another must not confirm an account whose password that person knows.
            #expect(body.contains("http://localhost/auth/confirm\n") && !body.contains("id="))
            #expect(try await visitor.open("/auth/confirm").headers[.location] == answer.headers[.location])
            let stranger = WebVisitor(fixture.server)
            let page = try await stranger.open("/auth/confirm?lang=\(tag)")
            #expect(page.status == 410 && page.text.contains(language.text("confirm.elsewhere")))
        }
    }

    @Test("Mail and the sign-in page have the operator's name of the server") func siteName() async throws {
        try await SignInFixture.run(
            configure: {
                Self.open(&$0)
                $0.siteName = "Müllers <Cloud>"
            }
        ) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/register")
            _ = try await visitor.submit(
                "/auth/register", ["email": "noor@example.com", "password": "battery staple"])
            let message = try #require(try messages(fixture.server).first)
            #expect(message.contains("with this address at Müllers <Cloud>."))
            #expect(message.hasSuffix("\n\n-- \nMüllers <Cloud>\nlocalhost\n"))
            let page = try await visitor.open("/auth/signin").text
            #expect(page.contains(#"<p class="soft" dir="auto">Müllers &lt;Cloud&gt;</p>"#))
        }
    }

    @Test("Every mail has a subject and a text in every language", arguments: Languages.own.all.map(\.tag))
    func texts(tag: String) throws {
        let language = try #require(Languages.own.named(tag))
        let values: [String: PhraseValue] = [
            "code": .text("12345678"), "origin": .text("https://cloud.example"), "address": .text("ann@example.com"),
            "site": .text("cloud.example"), "title": .text("Example"),
            "minutes": .phrase(Phrase("mail.minutes", ["count": .number(15)])),
        ]
        for key in PageLanguage.english.keys where key.hasPrefix("mail.") {
            let text = language.text(key, values.merging(["count": .number(15)]) { own, _ in own })
            #expect(!text.contains("{") && text != key, "\(key)")
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(key)")
        }
    }

    @Test("A subject beyond ASCII is encoded in words of at most 75 characters")
    func subject() throws {
        let subject = String(repeating: "Код для нового пароля 新しい ", count: 6)
        let source = MailMessage(from: "a@b", to: "c@d", subject: subject, text: "x").source
        let header = try #require(source.firstMatch(of: #/(?s)Subject: (.*?)\nMIME/#)?.output.1)
        let words = header.matches(of: #/=\?utf-8\?B\?([^?]*)\?=/#)
        #expect(words.allSatisfy { $0.output.0.count <= 75 })
        #expect(
            String(decoding: words.flatMap { Data(base64Encoded: String($0.output.1)) ?? Data() }, as: UTF8.self)
                == subject)
        #expect(
            MailMessage(from: "a@b", to: "c@d", subject: "Your code", text: "x").source.contains("Subject: Your code\n")
        )
    }
}
