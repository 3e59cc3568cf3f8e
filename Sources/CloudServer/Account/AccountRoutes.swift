/// The pages of the person who is signed in.
enum AccountRoutes {
    static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] = [
        ("/account", [.get: AccountPage.show, .post: AccountChange.submit]),
        ("/account/download", [.post: AccountDownload.submit]),
        ("/account/delete", [.get: AccountDeletionPage.show, .post: AccountDeletionPage.submit]),
    ]
}
