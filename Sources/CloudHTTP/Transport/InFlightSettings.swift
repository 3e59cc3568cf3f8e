package import CloudModel

/// Limits on concurrent requests and on the memory of their bodies.
package struct InFlightSettings: Sendable {
    /// Concurrent requests of one user, server key or address, without polls that wait for notifications.
    package var requestsPerCaller = 1000
    /// Received bytes of unanswered request bodies. The first 64 KB of each body may exceed the limit by a quarter, so that
    /// small requests succeed while large ones are refused.
    package var requestBytes = 64 << 20
    /// ``requestBytes`` of one user, server key or address.
    package var requestBytesPerCaller = 32 << 20
    /// Bytes of answers not yet written to the socket.
    package var answerBytes = 64 << 20
    /// ``answerBytes`` of one user, server key or address.
    package var answerBytesPerCaller = 16 << 20

    /// The tenth of the memory that request bodies may fill, and answer bodies likewise: a body takes about seven times its
    /// size while it is parsed, stored and answered.
    private static let part = 10

    /// Lowers the limits to suit a process with `memory` bytes. One caller gets half of the request bytes and a quarter of
    /// the answer bytes, but always room for one body of maximum size.
    package mutating func fit(memory: Int, _ limits: Limits) {
        let most = max(memory / Self.part, 1 << 20)
        requestBytes = min(requestBytes, most)
        requestBytesPerCaller = min(
            requestBytesPerCaller, max(requestBytes / 2, min(limits.requestBytes, requestBytes)))
        answerBytes = min(answerBytes, most)
        answerBytesPerCaller = min(
            answerBytesPerCaller,
            max(answerBytes / 4, min(limits.responseBytes + limits.recordBytes, answerBytes)))
    }
}
