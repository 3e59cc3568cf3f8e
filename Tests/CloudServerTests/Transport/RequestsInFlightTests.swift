import CloudModel
import Testing

@testable import CloudServer

/// Bytes are counted from when they come until their request is answered.
struct RequestsInFlightTests {
    private static func counts() -> RequestsInFlight {
        var settings = InFlightSettings()
        settings.requestsPerCaller = 2
        settings.requestBytes = 100
        settings.requestBytesPerCaller = 60
        return RequestsInFlight(settings)
    }

    private static func isRefused(_ work: () throws -> Void) -> ServerError.Code? {
        do { try work() } catch { return (error as? ServerError)?.code }
        return nil
    }

    @Test("Bytes that nobody has read count against their address, and against all")
    func unread() throws {
        let counts = Self.counts()
        let (one, other) = (counts.unread(of: "a"), counts.unread(of: "a"))
        try one.take(40)
        #expect(Self.isRefused { try other.take(40) } == .throttled)
        one.release(30)
        try other.take(40)
        let third = counts.unread(of: "b")
        #expect(Self.isRefused { try third.take(55) } == .tryAgainLater)
        try third.take(50)
        withExtendedLifetime([one, other, third]) {}
    }

    @Test("What was not read counts no longer once nobody can read it")
    func forgotten() throws {
        let counts = Self.counts()
        for _ in 0..<10 { try counts.unread(of: "a").take(60) }
        let ticket = try counts.ticket(for: "a")
        try ticket.take(60)
        withExtendedLifetime(ticket) {}
    }

    @Test("A request counts until its answer is taken, the bytes of its body until there is an answer")
    func answers() throws {
        let counts = Self.counts()
        let tickets = try (0..<2).map { _ in try counts.ticket(for: "a") }
        try tickets[0].count(for: "ann")
        try tickets[0].take(60)
        tickets[0].releaseBytes()
        try tickets[1].take(60)
        #expect(Self.isRefused { _ = try counts.ticket(for: "a") } == .throttled)
        withExtendedLifetime(tickets) {}
    }

    @Test("Bounds that nobody has set fit into the memory there is")
    func memory() {
        var settings = InFlightSettings()
        settings.answerBytes = 60 << 20
        settings.fit(memory: 160 << 20)
        #expect(settings.requestBytes == 16 << 20 && settings.requestBytesPerCaller == 16 << 20)
        #expect(settings.answerBytes == 60 << 20 && settings.answerBytesPerCaller == 16 << 20)
        var large = InFlightSettings()
        large.fit(memory: 2 << 30)
        #expect(large.requestBytes == InFlightSettings().requestBytes)
    }
}
