package import CloudHTTP

/// Routes of share pages, and the app association file that devices fetch.
package enum SharePageRoutes {
    package static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] = [
        ("/.well-known/apple-app-site-association", [.get: AppSiteAssociation.endpoint]),
        ("/share/{id}", [.get: SharePageEndpoints.page]),
        ("/share/{id}/events", [.get: PageEvents.endpoint]),
        ("/share/{id}/items", [.get: ItemWindow.endpoint]),
        ("/share/{id}/preview/{size}/{item}", [.get: SharePageEndpoints.preview]),
        ("/share/{id}/media/{item}", [.get: SharePageEndpoints.media]),
        ("/share/{id}/download/{item}", [.get: SharePageEndpoints.download]),
        ("/share/{id}/about/{item}", [.get: FileAbout.endpoint]),
        ("/share/{id}/days", [.get: PageZipDays.endpoint]),
        ("/share/{id}/zip", [.get: PageZip.endpoint, .post: PageZip.endpoint]),
        ("/share/{id}/password", [.post: PagePassword.endpoint]),
        ("/share/{id}/accept", [.post: ShareActions.accept]),
        ("/share/{id}/leave", [.post: ShareActions.leave]),
        ("/share/{id}/ask", [.post: ShareActions.requestAccess]),
        ("/share/{id}/settings", [.post: PageSettingsJSON.endpoint]),
    ]
}
