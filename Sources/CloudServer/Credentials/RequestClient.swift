extension ServerConfiguration {
    /// The client address that attempts count against; nil when unknown.
    func client(of request: Request, _ context: CloudRequestContext) -> ClientAddress? {
        ClientAddress(headers: request.headers, peer: context.peer, trustForwardedFor: trustForwardedFor)
    }
}
