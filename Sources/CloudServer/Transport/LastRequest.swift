extension HTTPRequest {
    /// True where nothing that follows the request is answered: the client says so, or may go on in another protocol,
    /// which this server never agrees to.
    var isLast: Bool {
        method == .connect || headerFields[.upgrade] != nil
            || headerFields[values: .connection].contains { field in
                field.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { $0.lowercased() == "close" }
            }
    }
}
