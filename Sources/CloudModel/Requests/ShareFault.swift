/// The violated rule of sharing.
package enum ShareFault: String, CaseIterable, Sendable {
    case notFound = "there is no such share, or the caller may not know of it"
    case unverifiedAddress = "the invitation is for an address that the caller has not verified"
    case mayAsk = "the caller is not invited, and may ask"
    case notAUser = "the caller is not a user of the container"
    case notByLink = "the link shows a choice of items; people join when they are invited by name"
    case closed = "the link is closed, expired or has a password"
    case notMember = "the caller sees nothing of the zone"
    case readOnly = "the caller may only read what is shared"
    case ownerOnly = "only the owner may do this"
    case managersOnly = "the owner and administrators of the share do this"
    case outside = "the record is not, or would not be, in a share of the caller's"
    case sharedAlready = "the record, or one above or below it, is shared already"
    case cannotBeShared = "only records of custom zones of the private database are shared"
}
