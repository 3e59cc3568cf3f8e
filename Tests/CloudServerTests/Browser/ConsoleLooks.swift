@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
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
        _ = try await server.accounts.users.create(
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
        try await mei.watchNotes("<b>watch</b>")
        let ear = try await mei.ear("phone<i>&'")
        for name in ["told<b>", "waits"] { try await mei.save(name) }
        _ = try await ear.poll()
        try await mei.save(zone: "<i>zone</i>", "every", type: "Every", fields: Self.every)
        let guid = try await mei.share("l", in: "<i>zone</i>", permission: "READ_ONLY")
        let viewer = try await server.signIn("vera@example.com")
        _ = try await viewer.accept(guid)
        _ = try await server.accounts.apiTokens.create(
            container: Self.container, environment: .development, name: "<script>document.title='taken'</script>",
            allowedOrigins: [], signInCallback: nil)
        let fault = ##"{"user": "<script>document.title='taken'</script>", "error": "CONFLICT", "count": 1}"##
        _ = try await server.send(.post, "/emulator/1/faults", body: ByteBuffer(string: fault))
        _ = try await server.send(.put, "/emulator/1/containers/\(Self.container)/snapshots/one")
        // Of the schema's page: a role, a query that production would refuse, and a change in the audit log.
        let program = try await server.makeOperator()
        let text = try await program.send(.get, "schema").text.replacing(
            "DEFINE SCHEMA", with: "CREATE ROLE editors;")
        #expect(try await program.importing(text).status == 200)
        _ = try await mei.post("public/records/query", #"{"query": {"recordType": "Note"}}"#)
        return records(of: mei.user) + editors(of: mei.user, seenBy: viewer.user) + schema() + overlays()
            + people() + (try await operations())
    }

    /// A field of each type, with hostile texts where it can have some.
    private static let every = #"""
        "text": {"value": "\#(hostile[3])"}, "number": {"value": 7}, "time": {"value": 1000, "type": "TIMESTAMP"},
        "place": {"value": {"latitude": 47.45, "longitude": -122.31, "altitude": 130}},
        "bytes": {"value": "PHNjcmlwdD4=", "type": "BYTES"},
        "reference": {"value": {"recordName": "\#(hostile[0])", "action": "DELETE_SELF"}},
        "texts": {"value": ["\#(hostile[1])", "\#(hostile[3])"]}, "long": {"value": ["", "\#(hostile[0])"]},
        "places": {"value": [{"latitude": 1, "longitude": 2}]},
        "secret": {"value": "\#(hostile[3])", "type": "STRING", "isEncrypted": true}
        """#

    /// The record with a field of each type, as it is opened, refused, tried and met by a newer version.
    private func editors(of user: String, seenBy viewer: String) -> [Look] {
        let zone = "\(Self.place)&user=\(user)&zone=%3Ci%3Ezone%3C%2Fi%3E"
        let record = "/record?\(zone)&name=every"
        let wrong = """
            for (const field of document.querySelectorAll('.edit [name^="f."]')) field.value += '</textarea><b>"x'
            document.querySelector('.savebar .main').click()
            """
        let stale = """
            document.querySelector('[name=tag]').value = 'stale'
            for (const field of document.querySelectorAll('.edit [name="f.text"], .edit [name="f.reference"]')) field.value += '<b>x'
            for (const field of document.querySelectorAll('[name="n.bytes"], [name="n.place"]')) field.checked = true
            document.querySelector('.savebar .main').click()
            """
        let tried = """
            document.querySelector('[name="f.text"]').value += '<b>tried'
            document.querySelector('[formaction]').click()
            """
        let replaced = """
            const field = document.createElement('input')
            field.name = 'field'
            field.value = '<script>"'
            document.getElementById('replace').append(field)
            document.getElementById('replace').submit()
            """
        return [
            look("record-editors", record),
            look("record-refused", record, action: wrong, signal: "document.querySelector('[aria-invalid]')"),
            look("record-tried", record, action: tried, signal: "document.querySelector('.notice.good, .notice.bad')"),
            look("conflict-editors", record, action: stale, signal: "document.querySelector('.notice.warn')"),
            look("file", record, action: replaced, signal: "document.title.startsWith('Replace')"),
            look("record-receipt", "\(record)&f.text=%3C%2Ftextarea%3E%3Cb%3Ex"),
            look("record-new", "/record?\(zone)&type=Every"),
            look("data-shared", "/data?\(Self.place)&database=shared&user=\(viewer)"),
            look("data-shared-none", "/data?\(Self.place)&database=shared&user=\(user)"),
        ]
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
        ]
    }

    private func schema() -> [Look] {
        [
            look("container", "/container"), look("type", "/schema/type?\(Self.place)"),
            look("fields", "/schema/type?\(Self.place)&type=Note"),
            look(
                "type-refused", "/schema/type?\(Self.place)",
                action: """
                    document.querySelector('#name').value = '<script>"'
                    document.querySelector('[value=make]').click()
                    """, signal: "document.querySelector('#problem')"),
            look("api", "/api?\(Self.place)&type=Note"),
            look("api-javascript", "/api?\(Self.place)&type=Note&language=javascript"),
            look("api-swift", "/api?\(Self.place)&type=Every&language=swift&user=%22%3Cb%3E&zone=%3C/pre%3E%22'"),
            look("nothing", "/%3Cscript%3E/%22onx"),
            look("schema", "/schema?\(Self.place)"), look("deploy", "/schema/deploy?\(Self.place)"),
            look("schema-text", "/schema/text?\(Self.place)"), look("schema-history", "/schema/history?\(Self.place)"),
            look(
                "schema-refused", "/schema/text?\(Self.place)",
                action: """
                    const text = document.querySelector('textarea')
                    text.value = text.value.replace('STRING', '</textarea><script>document.title=1</script>')
                    document.querySelector('[value=check]').click()
                    """, signal: "document.querySelector('#fault')"),
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
            look("sign-in", "/sign-in"),
            look(
                "sign-in-refused", "/sign-in",
                action: """
                    document.getElementById('add.name').value = '<script>"'
                    document.getElementById('add.clientID').value = 'c'
                    document.getElementById('add.secret').value = 's'
                    document.getElementById('add.name').form.querySelector('.main').click()
                    """, signal: "document.querySelector('#problem')"),
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
        let query = try await omar.post("public/records/query", #"{"query": {"recordType": "Note"}}"#)
        let answered = try #require(query.headers[uuid])
        let mei = try await server.signIn("mei@example.com")
        let again = try await mei.post(
            "private/records/modify",
            #"{"operations": [\#(Operation.write("create", "n1<b>&\\\"'", fields: #""title": {"value": "<i>"}"#))]}"#)
        let conflict = try #require(again.headers[uuid])
        return [
            look("settings", "/settings"), look("settings-found", "/settings?matching=%3Cscript%3E%22"),
            look("settings-credentials", "/settings/credentials"),
            look("settings-operators", "/settings/operators"), look("settings-pages", "/settings/pages"),
            look("settings-backups", "/settings/backups"), look("settings-audit", "/settings/audit"),
            look(
                "settings-token", "/settings/credentials",
                action: """
                    document.getElementById('token.name').value = '<script>"'
                    document.getElementById('token.name').form.querySelector('.main').click()
                    """, signal: "document.querySelector('#secret')"),
            look(
                "settings-page-refused", "/settings/pages",
                action: """
                    document.getElementById('set.rule').value = '</textarea><script>"'
                    document.getElementById('set.rule').form.querySelector('.main').click()
                    """, signal: "document.querySelector('#problem')"),
            look("requests", "/requests"), look("request", "/request?uuid=\(id)"),
            look("requests-found", "/requests?matching=%3Cscript%3E%22%27%20_b%3C%20x/%22%20CONFLICT"),
            look("requests-refused", "/requests?refused=true"), look("requests-slow", "/requests?slow=true"),
            look("queries", "/queries"), look("request-answered", "/request?uuid=\(answered)"),
            look("request-conflict", "/request?uuid=\(conflict)"),
            look("request-missing", "/request?uuid=none"),
        ]
    }
}
