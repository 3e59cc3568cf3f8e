import CloudAccounts
import CloudHTTP
import CloudModel
package import CloudTransfer

extension PageCall {
    package var deletion: PersonDeletion {
        PersonDeletion(accounts: site.accounts, stores: site.stores, limits: site.limits)
    }
}

/// An environment that holds data of a person.
package struct DataPlaceView: PageView {
    /// The app's name, else the container's.
    package let name: String
    /// Nil in production, where the app has a name.
    package let environment: String?
    /// The path of the app's picture; nil for none.
    let picture: String?
    /// A summary of the person's data there, such as "3 records, 12 KB".
    package let what: String

    /// All of a person's, for display.
    static func all(of account: UserAccount, _ call: PageCall) async throws -> [DataPlaceView] {
        let places = try await call.deletion.footprints(email: account.idText).filter { !$0.footprint.isEmpty }
        let apps = try await AppNames(accounts: call.site.accounts).names(of: Set(places.map(\.container)))
        return places.map { place in
            let app = apps[place.container]
            return DataPlaceView(
                name: app ?? place.container,
                environment: app != nil && place.environment == .production ? nil : place.environment.rawValue,
                picture: call.site.apps.path(of: place.container), what: text(place.footprint, call.language))
        }
    }

    private static func text(_ has: PersonFootprint, _ language: PageLanguage) -> String {
        let number = { (key: String, count: Int) in language.text(key, ["count": .number(count)]) }
        var parts = [
            language.list([number("count.records", has.records), language.size(Int64(has.bytes + has.assetBytes))])
        ]
        if has.shares > 0 {
            parts.append(
                language.text(
                    "data.shares",
                    [
                        "shares": .phrase(Phrase("count.shares", ["count": .number(has.shares)])),
                        "people": .phrase(Phrase("count.people", ["count": .number(has.shareMembers)])),
                    ]))
        }
        if has.memberships > 0 { parts.append(number("data.memberships", has.memberships)) }
        if has.keys > 0 { parts.append(number("count.keys", has.keys)) }
        return parts.joined(separator: language.text("list.semicolon"))
    }
}
