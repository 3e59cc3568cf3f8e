import CumulusKit

/// A device wants to know of every family, membership and profile, without a word on its screen.
struct SubscribeToFamily {
    private static let watched = [
        ("CKFamily", "family-changes"), ("CKMembership", "membership-changes"),
        ("CKUserProfile", "userprofile-changes"),
    ]

    let app: CKContainer
    let stage: Stage

    func play() async throws {
        let subscriptions = Self.watched.map {
            JSON.watching($0, as: $1, on: ["create", "update", "delete"], zone: Family.zone.zoneName)
        }
        stage.want("Anna's app wants to be woken by whatever happens to the family, and to show nothing.")
        try await stage.subscribe(app, in: "private", subscriptions)
        stage.want("It says so again at its next start.")
        try await stage.subscribe(app, in: "private", subscriptions)
        let listed = try await stage.server.ask(app, "database", "private/subscriptions/list", method: "GET")
        try stage.check(
            "there is still one of each",
            listed["subscriptions"]?.array?.compactMap { $0["subscriptionID"]?.string }.sorted(),
            is: Self.watched.map(\.1))
    }
}
