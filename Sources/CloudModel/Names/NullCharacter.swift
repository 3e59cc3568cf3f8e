extension String {
    /// True if the text has the character U+0000. The texts of PostgreSQL have no place for it, and no name in the store
    /// has it: what is asked for by such a name is not there.
    package var hasNullCharacter: Bool { utf8.contains(0) }
}

extension ZoneID {
    /// False for a zone that cannot be in the store, because its name or its owner's has the character U+0000.
    package var isStorable: Bool { !name.hasNullCharacter && !owner.hasNullCharacter }
}
