package import CloudHTTP

/// The sign-in pages.
package enum SignInRoutes {
    package static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] =
        [
            ("/auth/signin", [.get: SignInPage.show, .post: SignInForm.submit]),
            ("/auth/passkey", [.post: PasskeySignIn.submit]),
            ("/auth/passkey/options", [.post: PasskeySignIn.options]),
            ("/auth/signout", [.get: SignOutPage.show, .post: SignOutPage.submit]),
            ("/auth/register", [.get: RegistrationPages.show, .post: RegistrationPages.submit]),
            ("/auth/forgot", [.get: PasswordResetPages.show, .post: PasswordResetPages.submit]),
            ("/auth/reset", [.get: PasswordResetPages.showCode, .post: PasswordResetPages.submitCode]),
            ("/auth/confirm", [.get: RegistrationPages.showCode, .post: RegistrationPages.submitCode]),
        ] + ProviderRoutes.table
}
