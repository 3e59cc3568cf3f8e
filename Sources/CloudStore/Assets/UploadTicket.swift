import CloudModel

/// The permission to upload one asset, and whose it will be.
package struct UploadTicket: Hashable, Sendable {
    /// Good for one upload.
    package let id: String
    /// The owner of the database the asset is for, as zones name owners.
    package let owner: String
    /// The user who may put it into a record.
    package let user: String

    package init(id: String, owner: String, user: String) {
        self.id = id
        self.owner = owner
        self.user = user
    }

    /// One more permission, with an id of its own.
    package init(owner: String, user: String) {
        self.init(id: RandomText.hex(bytes: 16), owner: owner, user: user)
    }
}
