/// All pages that the server shows.
enum PageTable {
    static let all: [any WebPage.Type] = common + signIn + account + share

    private static let common: [any WebPage.Type] = [FrontPage.View.self, PageError.View.self]

    private static let signIn: [any WebPage.Type] = [
        SignInPage.View.self, SignOutPage.View.self, SignInOutcome.HandoverView.self,
        RegistrationPages.AccountView.self,
        RegistrationPages.CodeView.self, PasswordResetPages.AddressView.self, PasswordResetPages.CodeView.self,
    ]

    private static let account: [any WebPage.Type] = [
        AccountPage.View.self, AccountDeletionPage.View.self, AccountDeletionPage.DoneView.self,
    ]

    private static let share: [any WebPage.Type] = [
        SharePageView.self, SharePageEndpoints.SignInView.self, PagePassword.View.self,
    ]
}

extension PageFiles {
    /// - Throws: an error that names a template which is missing or not well formed.
    package init(_ folder: PublicFolder) throws {
        try self.init(folder, pages: PageTable.all)
    }
}
