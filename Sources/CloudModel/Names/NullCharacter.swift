extension String {
    /// True if the text has the character U+0000. PostgreSQL's texts cannot hold it and no stored name has it, so a look-up
    /// of such a name finds nothing.
    package var hasNullCharacter: Bool { utf8.contains(0) }
}

extension ZoneID {
    /// False for a zone that cannot be in the store, because its name or its owner's has the character U+0000.
    package var isStorable: Bool { !name.hasNullCharacter && !owner.hasNullCharacter }
}
