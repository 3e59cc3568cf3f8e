package import CloudModel

/// Limits on the requests that may be in the process at once.
package struct InFlightSettings: Sendable {
    /// Requests of one user, one server key or one address that are being answered, those that wait for notifications
    /// not counted.
    package var requestsPerCaller = 1000
    /// Bytes of request bodies that have come and are not answered yet. The first of each body may exceed it by a quarter,
    /// so that small requests go on while large ones are refused.
    package var requestBytes = 64 << 20
    /// The same of one user, server key or address.
    package var requestBytesPerCaller = 32 << 20
    /// Bytes of answers that are not written out yet.
    package var answerBytes = 64 << 20
    /// The same of one user, server key or address.
    package var answerBytesPerCaller = 16 << 20

    /// The part of its memory that a process may fill with bodies of requests, and with those of answers: a body takes
    /// about seven times its bytes while it is parsed, stored and answered.
    private static let part = 10

    /// Lowers the bounds to those of a process with so many bytes of memory: one caller has half of the bodies and a
    /// quarter of the answers, and room for one of the largest in any case.
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
