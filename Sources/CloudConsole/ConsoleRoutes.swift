package import CloudHTTP
package import CloudPages

/// The console's pages.
package enum ConsoleRoutes {
    package static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] =
        [
            ("/console", [.get: ConsoleGate.admitting(OverviewView.show)]),
            ("/console/signin", [.get: ConsoleSignIn.show, .post: ConsoleSignIn.submit]),
            ("/console/passkey", [.post: ConsolePasskey.submit]),
            ("/console/passkey/options", [.post: ConsolePasskey.options]),
            (ConsoleProvider.path, [.get: ConsoleProvider.show, .post: ConsoleProvider.submit]),
            ("/console/code", [.get: ConsoleCode.show, .post: ConsoleCode.submit]),
            ("/console/signout", [.post: ConsoleSignIn.signOut]),
            (
                "/console/container",
                [
                    .get: ConsoleGate.admitting(NewContainerView.show),
                    .post: ConsoleGate.admitting(NewContainerView.make),
                ]
            ),
            ("/console/api", [.get: ConsoleGate.admitting(APIView.show)]),
            ("/console/data", [.get: ConsoleGate.admitting(DataView.show)]),
            (
                "/console/record",
                [.get: ConsoleGate.admitting(RecordView.show), .post: ConsoleGate.admitting(RecordView.save)]
            ),
            ("/console/file", [.post: ConsoleGate.admitting(ReplacementView.show)]),
            ("/console/rehearsal", [.post: ConsoleGate.admitting(isLook: true, RecordView.rehearse)]),
            ("/console/records", [.post: ConsoleGate.admitting(ChosenRecordsView.change)]),
            ("/console/deletion", [.post: ConsoleGate.admitting(isLook: true, ChosenRecordsView.preview)]),
            ("/console/export", [.get: ConsoleGate.admitting(ExportView.download)]),
            (
                "/console/import",
                [.get: ConsoleGate.admitting(ImportView.show), .post: ConsoleGate.admitting(ImportView.load)]
            ),
            (
                "/console/schema",
                [.get: ConsoleGate.admitting(SchemaView.show), .post: ConsoleGate.admitting(SchemaView.change)]
            ),
            (
                "/console/schema/text",
                [.get: ConsoleGate.admitting(SchemaTextView.show), .post: ConsoleGate.admitting(SchemaTextView.change)]
            ),
            (
                "/console/schema/type",
                [.get: ConsoleGate.admitting(NewTypeView.show), .post: ConsoleGate.admitting(NewTypeView.make)]
            ),
            ("/console/schema/history", [.get: ConsoleGate.admitting(SchemaHistoryView.show)]),
            (
                "/console/schema/deploy",
                [.get: ConsoleGate.admitting(DeployView.show), .post: ConsoleGate.admitting(DeployView.deploy)]
            ),
            (
                "/console/people",
                [.get: ConsoleGate.admitting(PeopleView.show), .post: ConsoleGate.admitting(PeopleView.invite)]
            ),
            (
                "/console/person",
                [.get: ConsoleGate.admitting(PersonView.show), .post: ConsoleGate.admitting(PersonView.change)]
            ),
            (
                "/console/sign-in",
                [.get: ConsoleGate.admitting(ProvidersView.show), .post: ConsoleGate.admitting(ProvidersView.change)]
            ),
            ("/console/download", [.post: ConsoleGate.admitting(isLook: true, PersonView.download)]),
            (
                "/console/shares",
                [.get: ConsoleGate.admitting(SharesView.show), .post: ConsoleGate.admitting(SharesView.stop)]
            ),
            (
                "/console/push",
                [.get: ConsoleGate.admitting(PushView.show), .post: ConsoleGate.admitting(PushView.change)]
            ),
            ("/console/requests", [.get: ConsoleGate.admitting(RequestsView.show)]),
            ("/console/queries", [.get: ConsoleGate.admitting(QueriesView.show)]),
            ("/console/request", [.get: ConsoleGate.admitting(RequestView.show)]),
            (
                "/console/act-as",
                [
                    .get: ConsoleGate.admitting(ActAsView.show),
                    .post: ConsoleGate.admitting(isLook: true, ActAsView.run),
                ]
            ),
            (
                "/console/emulator",
                [.get: ConsoleGate.admitting(EmulatorView.show), .post: ConsoleGate.admitting(EmulatorView.change)]
            ),
        ] + settings

    private static let settings: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] = [
        ("/console/settings", [.get: ConsoleGate.admitting(SettingsView.show)]),
        (
            "/console/settings/credentials",
            [.get: ConsoleGate.admitting(CredentialsView.show), .post: ConsoleGate.admitting(CredentialsView.change)]
        ),
        (
            "/console/settings/operators",
            [.get: ConsoleGate.admitting(OperatorsView.show), .post: ConsoleGate.admitting(OperatorsView.change)]
        ),
        (
            "/console/settings/pages",
            [.get: ConsoleGate.admitting(PageRulesView.show), .post: ConsoleGate.admitting(PageRulesView.change)]
        ),
        (
            "/console/settings/backups",
            [.get: ConsoleGate.admitting(BackupsView.show), .post: ConsoleGate.admitting(BackupsView.change)]
        ),
        ("/console/settings/audit", [.get: ConsoleGate.admitting(AuditView.show)]),
        // The fallback for unknown paths.
        ("/console/{path}", [.get: NothingHere.show, .post: NothingHere.show]),
    ]
}
