extension HTTPFields {
    /// True for a request that a page sent to refresh itself, not a person.
    package var isLive: Bool { contains(.cumulus.live) }
}
