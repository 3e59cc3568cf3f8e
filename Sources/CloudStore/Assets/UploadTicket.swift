import CloudEngine
import CloudModel

/// The permission for one upload, with the asset's future owner.
package struct UploadTicket: Hashable, Sendable {
    /// A random id, valid for one upload.
    package let id: String
    /// The owner of the asset's database, in the form of zone owners.
    package let owner: String
    /// The uploader, who may save the asset.
    package let user: String

    package init(id: String, owner: String, user: String) {
        self.id = id
        self.owner = owner
        self.user = user
    }

    /// A new permission with a random id.
    package init(owner: String, user: String) {
        self.init(id: RandomText.hex(bytes: 16), owner: owner, user: user)
    }
}
