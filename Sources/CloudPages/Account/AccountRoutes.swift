package import CloudHTTP

/// The account pages of the signed-in person.
package enum AccountRoutes {
    package static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] = [
        ("/account", [.get: AccountPage.show, .post: AccountChange.submit]),
        ("/account/passkeys", [.post: PasskeyChange.submit]),
        ("/account/passkeys/options", [.post: PasskeyChange.options]),
        ("/account/download", [.post: AccountDownload.submit]),
        ("/account/delete", [.get: AccountDeletionPage.show, .post: AccountDeletionPage.submit]),
    ]
}
