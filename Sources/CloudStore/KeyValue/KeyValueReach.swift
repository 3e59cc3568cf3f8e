extension KeyValuePosition {
    /// All there is.
    init(endOf store: KeyValueStoreRow) { self.init(seen: store.position, start: store.position) }

    /// Whether it may have missed removals that nobody remembers.
    func isBehind(_ store: KeyValueStoreRow) -> Bool { max(seen, start) < store.floor }
}
