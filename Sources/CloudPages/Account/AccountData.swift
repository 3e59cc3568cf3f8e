import CloudAccounts
import CloudHTTP
import CloudModel
package import CloudTransfer

extension PageCall {
    package var deletion: PersonDeletion {
        PersonDeletion(accounts: site.accounts, stores: site.stores, limits: site.limits)
    }

    /// The environments that hold data of a person, each with a summary of the data, for display.
    func dataPlaces(of account: UserAccount) async throws -> [DataPlaceView] {
        let language = PageLanguage(acceptLanguage: request.headers[.acceptLanguage])
        return try await deletion.footprints(email: account.idText).filter { !$0.footprint.isEmpty }.map { place in
            DataPlaceView(
                name: place.container, environment: place.environment.rawValue,
                what: Self.text(place.footprint, language))
        }
    }

    private static func text(_ has: PersonFootprint, _ language: PageLanguage) -> String {
        var parts = [
            language.count(has.records, "record") + ", " + language.size(Int64(has.bytes + has.assetBytes))
        ]
        if has.shares > 0 {
            parts.append(
                language.count(has.shares, "share") + " with \(language.number(Int64(has.shareMembers))) people")
        }
        if has.memberships > 0 { parts.append(language.count(has.memberships, "share") + " of others") }
        if has.keys > 0 { parts.append(language.count(has.keys, "key")) }
        return parts.joined(separator: "; ")
    }
}

/// An environment that holds data of a person.
package struct DataPlaceView: PageView {
    package let name: String
    package let environment: String
    /// A summary of the person's data there, such as "3 records, 12 KB".
    package let what: String
}
