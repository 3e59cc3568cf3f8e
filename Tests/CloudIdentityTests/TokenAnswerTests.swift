import CloudIdentity
import CloudModel
import Testing

/// Redeeming a code, and people at a provider without ID tokens.
@Suite(.timeLimit(.minutes(5)))
struct TokenAnswerTests {
    private func request(
        _ authentication: DiscoveryDocument.ClientAuthentication, redirect: String? = "https://c.example/auth/with/a"
    ) -> TokenRequest {
        TokenRequest(
            code: "a code", redirect: redirect, proof: ProofKey(verifier: String(repeating: "v", count: 43)),
            client: "a:b",
            secret: "s %é", authentication: authentication)
    }

    @Test("A client proves itself as its provider says, encoded as in a form")
    func requests() {
        let start =
            "grant_type=authorization_code&code=a+code&redirect_uri=https%3A%2F%2Fc.example%2Fauth%2Fwith%2Fa&code_verifier="
            + String(repeating: "v", count: 43)
        #expect(request(.basic).body == start)
        #expect(request(.basic).authorization == "Basic " + Base64.encode(Array("a%3Ab:s+%25%C3%A9".utf8)))
        #expect(request(.post).body == start + "&client_id=a%3Ab&client_secret=s+%25%C3%A9")
        #expect(request(.post).authorization == nil)
        #expect(!request(.post, redirect: nil).body.contains("redirect_uri"))
    }

    @Test("An answer with tokens is read, and judged by its body")
    func answers() throws {
        typealias Fault = TokenAnswer.Fault
        func read(_ text: String, needsIDToken: Bool = true) throws -> TokenAnswer {
            try TokenAnswer(parsing: Array(text.utf8), needsIDToken: needsIDToken)
        }
        let answer = try read(
            #"{"access_token":"a","token_type":"bearer","id_token":"i","refresh_token":null,"expires_in":1}"#)
        #expect(answer.accessToken == "a" && answer.idToken == "i" && answer.refreshToken == nil)
        #expect(try read(#"{"access_token":"a","scope":""}"#, needsIDToken: false).idToken == nil)
        for (text, fault) in [
            ("", Fault.json), ("access_token=a", .json), (#"{"access_token":"a","access_token":"b"}"#, .json),
            (#"{"access_token":"a"}"#, .token), (#"{"id_token":"i"}"#, .token),
            (#"{"access_token":"","id_token":"i"}"#, .token),
            (#"{"access_token":"a\r\nb","id_token":"i"}"#, .token), (#"{"access_token":"a","id_token":1}"#, .token),
            (#"{"access_token":"a","id_token":"i","token_type":"DPoP"}"#, .type),
            (
                #"{"error":"bad_verification_code","access_token":"a","id_token":"i"}"#,
                .refused("bad_verification_code")
            ),
            (#"{"error":"<b>"}"#, .refused("b")), (#"{"error":1,"access_token":"a","id_token":"i"}"#, .refused("")),
            (String(repeating: " ", count: 256 * 1024 + 1), .size),
        ] { #expect(throws: fault) { try read(text) } }
        for fault in [Fault.size, .json, .token, .type, .refused("a")] { #expect(!fault.reason.isEmpty) }
    }

    @Test("A person at GitHub is a number, with the address that is primary and verified")
    func gitHub() throws {
        func read(_ user: String, _ emails: String?) throws -> GitHubPerson {
            try GitHubPerson(user: Array(user.utf8), emails: emails.map { Array($0.utf8) })
        }
        let user = #"{"id":583231,"login":"octocat","name":"The Octocat","email":"public@example.org"}"#
        let person = try read(
            user,
            """
            [{"email":"a@example.org","primary":false,"verified":true},{"email":"b@example.org","primary":true,\
            "verified":true}]
            """)
        #expect(person.subject == "583231" && person.name == "The Octocat" && person.email == "b@example.org")
        for emails in [
            nil, "[]", "{}", #"[{"email":"b@example.org","primary":true,"verified":false}]"#,
            #"[{"email":"b@example.org","primary":true,"verified":"true"}]"#,
            #"[{"email":1,"primary":true,"verified":true}]"#,
        ] { #expect(try read(user, emails).email == nil) }
        for text in [#"{"id":"583231"}"#, #"{"id":0}"#, #"{"id":-1}"#, #"{"login":"octocat"}"#, #"{"id":1.5}"#] {
            #expect(throws: GitHubPerson.Fault.id) { try read(text, nil) }
        }
        for text in ["", "[]", #"{"id":1,"id":2}"#] { #expect(throws: GitHubPerson.Fault.json) { try read(text, nil) } }
        #expect(throws: GitHubPerson.Fault.json) { try read(user, "<html>") }
    }
}
