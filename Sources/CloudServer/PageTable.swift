/// All page types of the server.
enum PageTable {
    static let all: [any WebPage.Type] = common + signIn + account + share + console

    private static let common: [any WebPage.Type] = [FrontPage.View.self, PageError.View.self]

    private static let signIn: [any WebPage.Type] = [
        SignInPage.View.self, SignOutPage.View.self, SignInOutcome.HandoverView.self,
        RegistrationPages.AccountView.self,
        PasswordResetPages.AddressView.self, MailedCodePage.self,
    ]

    private static let account: [any WebPage.Type] = [
        AccountPage.View.self, AccountDeletionPage.View.self, AccountDeletionPage.DoneView.self,
    ]

    private static let share: [any WebPage.Type] = [
        SharePageView.self, SharePageEndpoints.SignInView.self, PagePassword.View.self,
    ]

    private static let console: [any WebPage.Type] = [
        ConsoleSignIn.View.self, ConsoleCode.View.self, ConsoleCode.RecoveryView.self,
        ConsolePage<OverviewView.Content>.self, ConsolePage<SheetsContent>.self,
        ConsolePage<DataView.Content>.self, ConsolePage<RecordPage.Content>.self,
        ConsolePage<RecordConflict.Content>.self, ConsolePage<ReplacementView.Content>.self,
        ConsolePage<ImportView.Content>.self, ConsolePage<APIView.Content>.self, ConsolePage<NewTypeView.Content>.self,
        ConsolePage<RefusalPage.Content>.self,
        ConsolePage<SchemaView.Content>.self, ConsolePage<SchemaTextView.Content>.self,
        ConsolePage<DeployView.Content>.self,
        ConsolePage<RequestsPage.Content>.self, ConsolePage<RequestView.Content>.self,
        ConsolePage<ActAsView.Content>.self, ConsolePage<EmulatorContent>.self,
    ]
}

extension PageFiles {
    /// - Throws: an error with the name of a missing or malformed template.
    package init(_ source: PublicFiles) throws {
        try self.init(source, pages: PageTable.all)
    }
}
