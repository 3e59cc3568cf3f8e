@testable import CloudHTTP
import TestCloud
import CloudModel
import Testing

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

    @Test("Unread bytes count against their address and against the total")
    func unread() throws {
        let counts = Self.counts()
        let (one, other) = (counts.unread(of: "a"), counts.unread(of: "a"))
        try one.take(40)
        #expect(Self.isRefused { try other.take(40) } == .throttled)
        one.release(30)
        try other.take(40)
        let (third, fourth) = (counts.unread(of: "b"), counts.unread(of: "c"))
        try third.take(60)
        #expect(Self.isRefused { try fourth.take(20) } == .tryAgainLater)
        try fourth.take(15)
        withExtendedLifetime([one, other, third, fourth]) {}
    }

    @Test("Unread bytes no longer count once their connection is gone")
    func forgotten() throws {
        let counts = Self.counts()
        for _ in 0..<10 { try counts.unread(of: "a").take(60) }
        let ticket = try counts.ticket(for: "a")
        try ticket.take(60)
        withExtendedLifetime(ticket) {}
    }

    @Test("A request counts until its answer is read, and its body until there is an answer")
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

    @Test("Limits fit into the available memory, with room for one of the largest bodies and answers")
    func memory() {
        let limits = Limits()
        var small = InFlightSettings()
        small.fit(memory: 160 << 20, limits)
        #expect(small.requestBytes == 16 << 20 && small.requestBytesPerCaller == 16 << 20)
        #expect(small.answerBytes == 16 << 20 && small.answerBytesPerCaller == 9 << 20)
        var middle = InFlightSettings()
        middle.fit(memory: 400 << 20, limits)
        #expect(middle.requestBytes == 40 << 20 && middle.requestBytesPerCaller == 20 << 20)
        #expect(middle.answerBytes == 40 << 20 && middle.answerBytesPerCaller == 10 << 20)
        var large = InFlightSettings()
        large.fit(memory: 2 << 30, limits)
        let standard = InFlightSettings()
        #expect(large.requestBytes == standard.requestBytes && large.answerBytes == standard.answerBytes)
        #expect(large.requestBytesPerCaller == standard.requestBytesPerCaller)
        #expect(large.answerBytesPerCaller == standard.answerBytesPerCaller)
    }

    @Test("The first bytes of bodies are accepted while large bodies are refused")
    func first() throws {
        let counts = Self.counts()
        let tickets = try ["a", "b", "c"].map { try counts.ticket(for: $0) }
        try tickets[0].take(60)
        try tickets[1].take(40)
        #expect(Self.isRefused { try tickets[2].take(1) } == .tryAgainLater)
        try tickets[2].take(25, areFirst: true)
        #expect(Self.isRefused { try tickets[2].take(1, areFirst: true) } == .tryAgainLater)
        #expect(Self.isRefused { try tickets[0].take(1, areFirst: true) } == .throttled)
        withExtendedLifetime(tickets) {}
    }

    @Test("Callers without any bytes are forgotten, and others are not")
    func remembered() throws {
        let counts = Self.counts()
        let body = counts.unread(of: "reader")
        let ticket = try counts.ticket(for: "asker")
        for number in 0..<10_000 { _ = try counts.ticket(for: "passer-by \(number)") }
        #expect(counts.remembered < 2500)
        try body.take(60)
        #expect(Self.isRefused { try counts.unread(of: "reader").take(1) } == .throttled)
        try ticket.count(for: "reader")
        _ = try counts.ticket(for: "asker")
        #expect(Self.isRefused { try ticket.take(1) } == .throttled)
        withExtendedLifetime((body, ticket)) {}
    }

    @Test("Bytes counted before the caller was known are moved to the caller")
    func moved() throws {
        let counts = Self.counts()
        var ticket: RequestsInFlight.Ticket? = try counts.ticket(for: "a")
        try ticket?.take(40)
        try ticket?.count(for: "ann")
        try counts.unread(of: "a").take(50)
        #expect(Self.isRefused { try counts.unread(of: "ann").take(30) } == .throttled)
        ticket = nil
        try counts.unread(of: "ann").take(60)
    }
}
