extension KeyValuePosition {
    /// The position after the store's last change.
    init(endOf store: KeyValueStoreRow) { self.init(seen: store.position, start: store.position) }

    /// Returns true if the device may have missed removals that are no longer stored.
    func isBehind(_ store: KeyValueStoreRow) -> Bool { max(seen, start) < store.floor }
}
