extension HTTPRequest {
    /// True if the server answers no further request on the connection: the client sends `close`, or asks for an upgrade
    /// or a tunnel, which this server never grants.
    package var isLast: Bool {
        method == .connect || headerFields[.upgrade] != nil
            || headerFields[values: .connection].contains { field in
                field.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { $0.lowercased() == "close" }
            }
    }
}
