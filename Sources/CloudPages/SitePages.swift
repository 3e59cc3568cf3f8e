import CloudHTTP

/// The page types for visitors and signed-in people.
package enum SitePages {
    package static let all: [any WebPage.Type] = common + signIn + account + share

    private static let common: [any WebPage.Type] = [FrontPage.View.self, PageError.View.self]

    private static let signIn: [any WebPage.Type] = [
        SignInPage.View.self, SignOutPage.View.self, SignInOutcome.HandoverView.self,
        RegistrationPages.AccountView.self,
        PasswordResetPages.AddressView.self, MailedCodePage.self,
        WindowView.self, ConnectPage.View.self,
    ]

    private static let account: [any WebPage.Type] = [
        AccountPage.View.self, AccountDeletionPage.View.self, AccountDeletionPage.DoneView.self,
    ]

    private static let share: [any WebPage.Type] = [
        SharePageView.self, SharePageEndpoints.SignInView.self, PagePassword.View.self,
    ]
}
