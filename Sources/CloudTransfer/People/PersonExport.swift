package import CloudAccounts
package import CloudAssets
import CloudModel
package import CloudStore
import NIOCore

/// Writes a person's account and data to a zip file (docs/people.md), while the server stays in use.
///
/// Data is read in pieces: a concurrent change is exported in its old or new state.
package struct PersonExport: Sendable {
    /// The size in bytes at which a new file of lines begins.
    private static let mostBytes = 4 << 20

    package let account: UserAccount
    private let accounts: AccountStore
    private let stores: ContainerStores

    package init(of account: UserAccount, accounts: AccountStore, stores: ContainerStores) {
        self.account = account
        self.accounts = accounts
        self.stores = stores
    }

    /// Writes the zip file. Its last entry, `contents.json`, shows that the file is complete.
    package func write(to sink: some ByteSink) async throws {
        var zip = ZipWriter(to: sink)
        let homes = try await PersonHome.all(of: account, accounts)
        try await add("account.json", try await accountText(homes), to: &zip)
        var written: [PersonContents] = []
        for home in homes {
            guard let contents = try await add(home, to: &zip) else { continue }
            written.append(contents)
        }
        try await add("contents.json", PersonContents.text(written), to: &zip)
        try await zip.finish()
    }

    // MARK: Environments

    /// - Returns: nil if the environment has no database.
    private func add(_ home: PersonHome, to zip: inout ZipWriter<some ByteSink>) async throws -> PersonContents? {
        guard try await stores.isThere(home.container, home.environment) else { return nil }
        var contents = PersonContents(home)
        for list in PersonList.allCases {
            var (place, part, lines) = (PersonPlace?.some(PersonPlace()), 1, ByteBuffer())
            while let from = place {
                let piece = try await store(home).people.lines(of: list, user: home.user, from: from)
                contents.counts[list, default: 0] += piece.count
                lines.writeBytes(piece.bytes)
                try await add(piece.assets, of: home, &contents, to: &zip)
                place = piece.next
                guard place == nil || lines.readableBytes >= Self.mostBytes else { continue }
                if lines.readableBytes > 0 {
                    let name = part == 1 ? list.rawValue : "\(list.rawValue)-\(part)"
                    try await zip.add("\(contents.folder)/\(name).jsonl", lines, modified: accounts.now())
                }
                part += 1
                lines.clear()
            }
        }
        return contents
    }

    private func add(
        _ assets: [AssetKey], of home: PersonHome, _ contents: inout PersonContents,
        to zip: inout ZipWriter<some ByteSink>
    ) async throws {
        for key in assets where contents.assets.insert(key).inserted {
            guard let asset = try await store(home).assets.find(key),
                let reader = try await store(home).assets.open(key)
            else {
                contents.missingAssets.append(key)
                continue
            }
            let entry = ZipEntry(
                name: "\(contents.folder)/assets/\(key.text)\(ContentType.fileExtension(asset.contentType))",
                size: UInt64(asset.size), crc32: asset.crc32, modified: accounts.now())
            try await zip.add(entry, reader.bytes())
        }
    }

    /// Looks up the store for each use: a slow client must not keep the store open.
    private func store(_ home: PersonHome) async throws -> EnvironmentStore {
        try await stores.store(container: home.container, environment: home.environment)
    }

    // MARK: Account

    private func add(_ name: String, _ text: JSONWriter, to zip: inout ZipWriter<some ByteSink>) async throws {
        try await zip.add(name, ByteBuffer(bytes: text.bytes + [UInt8(ascii: "\n")]), modified: accounts.now())
    }

    private func accountText(_ homes: [PersonHome]) async throws -> JSONWriter {
        let sessions = try await accounts.sessions.list(email: account.idText)
        let identities = try await accounts.identities.all(of: account)
        let passkeys = try await accounts.passkeys.all(of: account)
        let places = homes.filter { $0.environment == .development }
        let now = accounts.now()
        var text = JSONWriter()
        text.object {
            $0.member("format", 1)
            $0.member("made", now.milliseconds)
            $0.member("email", account.email)
            $0.member("emailVerified", account.emailVerified)
            $0.member("givenName", account.givenName)
            $0.member("familyName", account.familyName)
            $0.member("phone", account.phone)
            $0.member("disabled", account.disabled)
            $0.member("created", account.created.milliseconds)
            $0.key("identities")
            $0.array { for identity in identities { identity.write(to: &$0) } }
            $0.key("passkeys")
            $0.array { for passkey in passkeys { passkey.write(to: &$0) } }
            $0.key("containers")
            $0.array { for place in places { place.write(to: &$0) } }
            $0.key("sessions")
            $0.array { for session in sessions { session.write(to: &$0) } }
        }
        return text
    }
}

extension PersonIdentity {
    fileprivate func write(to text: inout JSONWriter) {
        text.object {
            $0.member("provider", provider)
            $0.member("issuer", issuer)
            $0.member("subject", subject)
            $0.member("email", email)
            $0.member("created", created.milliseconds)
            $0.member("lastUsed", lastUsed.milliseconds)
        }
    }
}

extension Passkey {
    fileprivate func write(to text: inout JSONWriter) {
        text.object {
            $0.member("name", name)
            $0.member("site", relyingParty)
            $0.member("isSynced", isBackedUp)
            $0.member("created", created.milliseconds)
            if let lastUsed { $0.member("lastUsed", lastUsed.milliseconds) }
        }
    }
}

extension PersonHome {
    fileprivate func write(to text: inout JSONWriter) {
        text.object {
            $0.member("container", container.name)
            $0.member("userRecordName", user)
        }
    }
}

extension OpenSession {
    /// Leaves out the session's id, with which it can be revoked.
    fileprivate func write(to text: inout JSONWriter) {
        text.object {
            $0.member("container", container)
            $0.member("environment", environment?.rawValue)
            $0.member("lastUsed", lastUsed.milliseconds)
            $0.member("expires", expires.milliseconds)
        }
    }
}
