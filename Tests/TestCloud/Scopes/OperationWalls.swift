package import CloudAccounts
import CloudModel
import CloudOperations

/// The walls around one operation of the admin API.
package struct OperationWall: Sendable {
    /// The way in which an operation may be about somebody's account.
    package enum Account: Sendable {
        case none
        /// It looks.
        case looks
        /// It changes the account, so that of an operator needs every scope.
        case changes
        /// It is about operators alone.
        case operators
    }

    package let scopes: Set<ManagementScope>
    package var account = Account.none
    /// The look that it leaves in the audit log, whoever is looked at.
    package var look: String?
    /// The body that it needs to come to the account, where `EMAIL` stands for the address.
    package var body: String?

    package init(
        _ scopes: ManagementScope..., account: Account = .none, look: String? = nil, body: String? = nil
    ) {
        self.scopes = Set(scopes)
        (self.account, self.look, self.body) = (account, look, body)
    }

    package static func all(_ account: Account, body: String? = nil) -> OperationWall {
        OperationWall(
            .schema, .recordsRead, .recordsWrite, .people, .operations, account: account, body: body)
    }
}

/// What each operation needs, written down by hand and compared with the catalogue: whoever adds one decides here whose
/// account it touches, what it shows, and which scopes that takes.
package enum OperationWalls {
    private static let place = "{container}/{environment}/"

    package static let all: [String: OperationWall] = containers.merging(people) { $1 }.merging(records) { $1 }
        .merging(schemas) { $1 }

    private static let containers: [String: OperationWall] = [
        "GET containers": .init(.operations), "POST containers": .init(.operations),
        "PUT containers/{container}": .init(.operations), "DELETE containers/{container}": .init(.operations),
        "GET pages": .init(.operations), "PUT pages": .init(.operations), "DELETE pages": .init(.operations),
        "GET tokens": .init(.operations), "POST tokens": .init(.operations), "DELETE tokens/{id}": .init(.operations),
        "GET keys": .init(.operations), "POST keys": .init(.operations, .recordsRead, .recordsWrite),
        "DELETE keys/{keyID}": .init(.operations),
        "GET management-tokens": .init(.operations), "POST management-tokens": .init(.operations),
        "GET management-tokens/{id}/made": .init(.operations, look: "looked at what a management token has made"),
        "DELETE management-tokens/{id}": .init(.operations),
        "GET webhooks": .init(.operations), "POST webhooks": .init(.operations),
        "DELETE webhooks/{id}": .init(.operations),
        "GET dead-letters": .init(.operations, look: "looked at dead letters"),
        "POST dead-letters/retry": .init(.operations), "DELETE dead-letters": .init(.operations),
        "GET audit": .init(.operations), "GET settings": .init(.operations), "POST check": .init(.operations),
        "GET backups": .init(.operations), "POST backups": .init(.operations),
        "POST backups/{name}/verify": .init(.operations),
    ]

    private static let people: [String: OperationWall] = [
        "GET users": .init(.people, look: "looked at accounts"),
        "GET users/{email}": .init(.people, account: .looks, look: "looked at an account"),
        "GET users/{email}/export": .init(.people, .recordsRead, account: .looks),
        "GET users/{email}/storage": .init(.people, account: .looks, look: "looked at a user's storage"),
        "GET users/{email}/deletion": .init(.people, account: .looks, look: "looked at what a deletion removes"),
        "POST users": .init(.people),
        "POST users/{email}/confirm": .init(.people, account: .changes),
        "PUT users/{email}/address": .init(
            .people, .recordsRead, .recordsWrite, account: .changes, body: #"{"address": "thief@example.com"}"#),
        "POST users/{email}/disable": .init(.people, account: .changes),
        "POST users/{email}/enable": .init(.people, account: .changes),
        "PUT users/{email}/password": .init(
            .people, .recordsRead, .recordsWrite, account: .changes, body: #"{"password": "a thief's long word"}"#),
        "POST users/{email}/invitation": .init(.people, account: .changes),
        "POST users/{email}/reset": .init(.people, account: .changes),
        "POST users/{email}/deletion": .init(.people, .recordsWrite, account: .changes),
        "GET sessions": .init(.people, look: "looked at sessions"),
        "POST sessions": .init(
            .people, .recordsRead, .recordsWrite, account: .changes,
            body: #"{"container": "c", "environment": "development", "email": "EMAIL"}"#),
        "DELETE sessions/{id}": .init(.people, account: .changes),
        "DELETE users/{email}/sessions": .init(.people, account: .changes),
        "GET operators": .init(.people),
        "POST operators": .all(.operators, body: #"{"email": "EMAIL", "role": "owner"}"#),
        "PUT operators/{email}/role": .all(.operators, body: #"{"role": "viewer"}"#),
        "POST operators/{email}/second-factor": .all(.operators),
        "DELETE operators/{email}": .all(.operators),
        "GET providers": .init(.operations), "POST providers": .all(.none), "PUT providers/{name}": .all(.none),
        "DELETE providers/{name}": .all(.none), "POST providers/{name}/test": .init(.operations),
    ]

    private static let records: [String: OperationWall] = [
        "GET \(place)usage": .init(.recordsRead),
        "GET \(place)owners": .init(.recordsRead, look: "looked at the owners of records"),
        "GET \(place)zones": .init(.recordsRead), "GET \(place)types": .init(.recordsRead),
        "GET \(place)records": .init(.recordsRead), "POST \(place)records/query": .init(.recordsRead),
        "GET \(place)record": .init(.recordsRead), "POST \(place)records/modify": .init(.recordsWrite),
        "POST \(place)assets/upload": .init(.recordsWrite),
        "POST \(place)act-as": .init(.recordsRead, look: "tried a request as somebody"),
        "GET \(place)shares": .init(.recordsRead, look: "looked at shares"),
        "DELETE \(place)shares/{shortGUID}": .init(.recordsWrite),
        "GET \(place)subscriptions": .init(.recordsRead, look: "looked at subscriptions"),
        "GET \(place)subscriptions/{id}/test": .init(.recordsRead, look: "tested a subscription on a record"),
        "GET \(place)devices": .init(.recordsRead, look: "looked at devices"),
        "GET \(place)notifications": .init(.operations, look: "looked at notifications"),
        "POST \(place)devices/{id}/test": .init(.operations),
    ]

    private static let schemas: [String: OperationWall] = [
        "GET \(place)schema": .init(.schema), "PUT \(place)schema": .init(.schema),
        "POST \(place)schema/deploy": .init(.schema), "POST \(place)schema/reset": .init(.schema),
        "GET \(place)schema/builds": .init(.schema), "GET \(place)roles": .init(.people),
        "PUT \(place)roles/{role}/{user}": .init(.people, .recordsRead, .recordsWrite),
        "DELETE \(place)roles/{role}/{user}": .init(.people),
    ]

    /// The reason why an operation that needs no `records:read` makes no private value visible.
    package static let verdicts: [String: String] = [
        "GET containers": "names and switches", "POST containers": "a new container is empty",
        "PUT containers/{container}": """
        discoverableUsers has apps told who of their users has an address they know, and justInTimeSchema lets writers
        add types; no switch grants a read
        """,
        "DELETE containers/{container}": "deletes, answers the name and switches",
        "GET pages": "rules, which hold no value",
        "PUT pages": "a page shows what the world may read by the schema's grants, its items as well",
        "DELETE pages": "shows less",
        "GET tokens": "no text of a token", "DELETE tokens/{id}": "shows less",
        "POST tokens": """
        an API token reads as the world; sessions go to its callback only from people who sign in at a page that names it
        """,
        "GET keys": "public keys", "DELETE keys/{keyID}": "shows less",
        "GET management-tokens": "no text of a token", "GET management-tokens/{id}/made": "no text of a token",
        "POST management-tokens": "none with a scope that the maker lacks",
        "DELETE management-tokens/{id}": "shows less",
        "GET webhooks": "URLs, no secrets", "DELETE webhooks/{id}": "shows less",
        "POST webhooks": "messages say what changed where, and no value, unless the maker may read records",
        "GET dead-letters": "no bodies without records:read",
        "POST dead-letters/retry": "goes where the message was to go, as it was signed",
        "DELETE dead-letters": "shows less",
        "GET audit": "names, and no value", "GET settings": "secrets are left out",
        "POST check": "names of what is faulty, and no value",
        "GET backups": "names and sizes", "POST backups": "goes to backup.to, which no operation sets",
        "POST backups/{name}/verify": "answers whether it is whole",
        "GET users": "accounts, which people is for", "GET users/{email}": "accounts, which people is for",
        "GET \(place)schema": "types, fields and grants, and no value",
        "PUT \(place)schema": "a wider grant needs the scopes to read or write records",
        "POST \(place)schema/deploy": "a wider grant needs the scopes to read or write records",
        "POST \(place)schema/reset": "shows less", "GET \(place)schema/builds": "names and numbers",
        "GET \(place)roles": "names of roles and addresses of their members, which people is for",
        "DELETE \(place)roles/{role}/{user}": "shows less",
        "GET users/{email}/storage": "sizes", "GET users/{email}/deletion": "counts",
        "POST users": "an account without a password, which nobody signs in to before its owner has answered a mail",
        "POST users/{email}/confirm": "signs nobody in", "POST users/{email}/disable": "shows less",
        "POST users/{email}/enable": "as it was before",
        "POST users/{email}/invitation": "the code goes to the address",
        "POST users/{email}/reset": "the code goes to the address",
        "POST users/{email}/deletion": "deletes, answers counts",
        "GET sessions": "no token", "DELETE sessions/{id}": "shows less", "DELETE users/{email}/sessions": "shows less",
        "GET operators": "accounts and roles",
        "GET providers": "issuers and rules, no secrets",
        "POST providers/{name}/test": "sends the secret to the provider alone, and answers what it refused",
        "POST \(place)records/modify": """
        answers name and tag; changes no share, and brings no record that is there into a share; writes in the public
        database where the world reads are the writer's own values
        """,
        "POST \(place)assets/upload": "a link that takes bytes; a receipt is for these bytes",
        "DELETE \(place)shares/{shortGUID}":
            "shows less, and is refused where what was shared would come into another share",
        "GET \(place)notifications": "names, and no value", "POST \(place)devices/{id}/test": "tells of no change",
    ]
}
