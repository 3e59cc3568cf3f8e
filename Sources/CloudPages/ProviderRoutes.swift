package import CloudHTTP

/// The pages of signing in at providers.
package enum ProviderRoutes {
    package static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] = [
        ("/auth/with/{name}", [.get: ProviderSignIn.show, .post: ProviderSignIn.post]),
        ("/auth/with/{name}/logout", [.post: BackChannelLogout.submit]),
        ("/auth/connect", [.get: ConnectPage.show, .post: ConnectPage.submit]),
        ("/account/ways", [.post: AccountWays.submit]),
    ]
}
