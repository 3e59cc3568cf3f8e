extension ServerConfiguration {
    /// The client that a request comes from, as attempts are counted; nil when the connection does not tell.
    func client(of request: Request, _ context: CloudRequestContext) -> ClientAddress? {
        ClientAddress(headers: request.headers, peer: context.peer, trustForwardedFor: trustForwardedFor)
    }
}
