extension Response {
    /// A redirect with GET after a form (303).
    package static func seeOther(_ location: String) -> Response {
        Response(
            status: .seeOther,
            headers: [.location: location, .cacheControl: "no-store", .policy.referrer: "same-origin"])
    }
}
