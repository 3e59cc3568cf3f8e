extension String {
    /// Returns true for the id of an account, in digits. User record names begin with another character.
    var isAccountID: Bool { !isEmpty && utf8.count < 19 && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
