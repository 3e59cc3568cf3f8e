import CloudModel
import CloudStore
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// Every view of the console, with hostile texts in every field.
struct ConsoleLooks {
    private static let hostile = [
        "<script>document.title='taken'</script>", "\\\"><img src=x onerror=document.title='taken'>",
        "'; document.title='taken'; '", "</textarea><script>document.title='taken'</script>", "{{title}} {{{form}}}",
        "\\u202Etaken\\u202C", "\\\"\\u0301 onfocus=document.title='taken' autofocus x=\\\"",
        "javascript:document.title='taken'",
    ]
    private static let container = "iCloud.com.example.test"
    private static let place = "container=\(container)&environment=development"

    let server: TestServer

    var origin: String { "http://127.0.0.1:\(server.client.port ?? 0)" }

    func prepare() async throws -> [Look] {
        let mei = try await server.signIn("mei@example.com")
        _ = try await server.accounts.createUserAccount(
            email: "omar@example.com", givenName: "<script>document.title='taken'</script>", familyName: "\"><b>x")
        for (index, text) in Self.hostile.enumerated() {
            for database in ["public", "private"] {
                try await mei.save(
                    in: database, "n\(index)<b>&\\\"'",
                    fields:
                        #""title": {"value": "\#(text)"}, "stars": {"value": \#(index)}, "list": {"value": ["\#(text)"]}"#
                )
            }
        }
        try await mei.makeZone("<i>zone</i>")
        try await mei.save(zone: "<i>zone</i>", "l", type: "List", fields: #""title": {"value": "x"}"#)
        try await mei.share("l", in: "<i>zone</i>")
        try await mei.watchNotes("<b>watch</b>")
        let ear = try await mei.ear("phone<i>&'")
        for name in ["told<b>", "waits"] { try await mei.save(name) }
        _ = try await ear.poll()
        _ = try await server.accounts.createAPIToken(
            container: Self.container, environment: .development, name: "<script>document.title='taken'</script>",
            allowedOrigins: [], signInCallback: nil)
        let fault = ##"{"user": "<script>document.title='taken'</script>", "error": "CONFLICT", "count": 1}"##
        _ = try await server.send(.post, "/emulator/1/faults", body: ByteBuffer(string: fault))
        _ = try await server.send(.put, "/emulator/1/containers/\(Self.container)/snapshots/one")
        return records(of: mei.user) + overlays() + people() + (try await operations())
    }

    private func look(_ name: String, _ path: String, action: String = "", signal: String = "true") -> Look {
        Look(name: name, path: "/console\(path)", action: action, signal: signal)
    }

    private func records(of user: String) -> [Look] {
        let record = "/record?\(Self.place)&name=n0%3Cb%3E%26%22%27"
        let stale = """
            document.querySelector('[name=tag]').value = 'stale';
            document.querySelector('.edit textarea').value += ' again';
            document.querySelector('.savebar .main').click()
            """
        return [
            look("overview", ""), look("data", "/data?\(Self.place)&type=Note"),
            look("data-private", "/data?\(Self.place)&user=\(user)"),
            look("data-unknown", "/data?\(Self.place)&type=%3Cscript%3E&sort=%22onx&zone=_defaultZone"),
            look("data-sorted", "/data?\(Self.place)&type=Note&sort=stars&order=ascending"),
            look("data-queried", "/data?\(Self.place)&type=Note&field=stars&is=GREATER_THAN&value=2&sort=stars"),
            look(
                "data-hostile",
                "/data?\(Self.place)&type=Note&field=%22%3E%3Cscript%3E&is=%3Cb%3E&value=%22%20onfocus%3Dx&sort=%3Ci%3E"
            ),
            look(
                "deletion-records", "/data?\(Self.place)&type=Note",
                action: """
                    for (const pick of document.querySelectorAll('[name=pick]')) pick.checked = true
                    document.querySelector('.chosen .danger').click()
                    """, signal: "document.title.startsWith('Delete')"),
            look("import", "/import?\(Self.place)&type=%3Cscript%3E%22"),
            look(
                "import-refused", "/import?\(Self.place)&type=Note",
                action: """
                    document.querySelector('textarea').value = '{"</textarea><script>document.title=1</script>'
                    document.querySelector('.body .main').click()
                    """, signal: "document.querySelector('#problem')"),
            look("emulator", "/emulator?\(Self.place)"),
            look(
                "emulator-refused", "/emulator?\(Self.place)",
                action: """
                    document.querySelector('#user').value = '<script>"'
                    document.querySelector('[value=fault]').click()
                    """, signal: "document.querySelector('.notice.bad')"),
            look("record", record), look("record-private", "\(record)&user=\(user)"),
            look("record-missing", "/record?\(Self.place)&name=none"),
            look("conflict", record, action: stale, signal: "document.querySelector('.notice.warn')"),
            look("schema", "/schema?\(Self.place)"), look("deploy", "/deploy?\(Self.place)"),
        ]
    }

    /// Things that open over a page.
    private func overlays() -> [Look] {
        [
            look("menus", "", action: "for (const menu of document.querySelectorAll('.menu')) menu.open = true"),
            look(
                "palette", "/data?\(Self.place)", action: "document.querySelector('.find').click()",
                signal: "document.querySelector('#palette[open] .chosen')"),
            look(
                "palette-hostile", "",
                action: """
                    document.querySelector('.find').click()
                    const field = document.querySelector('#palette input')
                    field.value = '_"><img src=x onerror=document.title="taken">'
                    field.dispatchEvent(new Event('input'))
                    """, signal: "document.querySelector('#palette .chosen')"),
            look("keys", "", action: "document.getElementById('keys').showModal()"), look("drawer", "#nav"),
        ]
    }

    private func people() -> [Look] {
        [
            look("people", "/people"), look("people-found", "/people?matching=%3Cscript%3E%22%27"),
            look("person", "/person?email=mei@example.com"), look("person-hostile", "/person?email=omar@example.com"),
            look("deletion", "/person?email=mei@example.com&view=deletion"),
            look("shares", "/shares?\(Self.place)"), look("push", "/push?\(Self.place)"),
            look("act-as", "/act-as?\(Self.place)"),
        ]
    }

    private func operations() async throws -> [Look] {
        let omar = try await server.signIn("omar@example.com")
        let deletion = #"{"operationType": "delete", "record": {"recordName": "n1<b>&\"'", "recordChangeTag": "a"}}"#
        let refused = try await omar.post("public/records/modify", #"{"operations": [\#(deletion)]}"#)
        let uuid = try #require(HTTPField.Name("X-Apple-Request-UUID"))
        let id = try #require(refused.headers[uuid])
        return [
            look("settings", "/settings"), look("requests", "/requests"), look("request", "/request?uuid=\(id)"),
            look("requests-found", "/requests?matching=%3Cscript%3E%22%27"),
            look("request-missing", "/request?uuid=none"),
        ]
    }
}
