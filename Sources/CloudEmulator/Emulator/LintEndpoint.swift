package import CloudModel

/// `/emulator/1/lint`: `POST` starts watching clients, `GET` lists findings, `DELETE` stops.
package struct LintEndpoint {
    package let lint: ClientLint

    package init(lint: ClientLint) {
        self.lint = lint
    }

    /// - Parameter body: `{"hasWholeSchema"}`, by default false.
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package func start(_ body: JSONObject) throws -> JSONWriter {
        try EmulatorMember.refuseOthers(than: ["hasWholeSchema"], in: body)
        lint.start(hasWholeSchema: try EmulatorMember.flag("hasWholeSchema", of: body) ?? false)
        return list()
    }

    package func stop() -> JSONWriter {
        lint.stop()
        return list()
    }

    package func list() -> JSONWriter {
        let (findings, omitted) = lint.findings
        var json = JSONWriter()
        json.object {
            $0.member("isOn", lint.isOn)
            $0.key("findings")
            $0.array { json in for finding in findings { finding.write(to: &json) } }
            $0.member("omitted", Int64(omitted))
        }
        return json
    }
}
