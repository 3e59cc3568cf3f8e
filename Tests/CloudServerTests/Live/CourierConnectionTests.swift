@testable import CloudServer
import CloudHTTP
import CloudWire
import TestCloud
import CloudModel
import TestWire
import Testing

/// Polls whose connections close, and connections whose polls end.
@Suite(.timeLimit(.minutes(20)))
struct CourierConnectionTests {
    private func run(
        configure: @Sendable @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable @escaping (App, Int) async throws -> Void
    ) async throws {
        try await TestServer.live(configure: configure) { server, port in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            try await body(mei, port)
        }
    }

    private static func head(_ ear: Ear) -> String { "GET \(ear.target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test("A poll whose connection has closed takes no message") func closedPoll() async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            for number in 0..<10 {
                do {
                    let wire = try Wire(port: port)
                    try await wire.sendLast(Self.head(ear))
                    // Until the server has heard of it.
                    _ = try await wire.readAll()
                }
                try await mei.save("r\(number)")
            }
            for number in 0..<10 { #expect(try await ear.news() == "notes r\(number)") }
        }
    }

    @Test("A connection polls many times in a row") func repeatedPolls() async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            let wire = try Wire(port: port)
            for number in 0..<50 {
                try await wire.send(Self.head(ear))
                try await mei.save("r\(number)")
                let answer = try await wire.readAnswer()
                #expect(answer.body.contains(#""rid":"r\#(number)""#))
            }
        }
    }

    @Test("Pipelined polls are answered in order") func pipelinedPolls() async throws {
        try await run { mei, port in
            let ear = try await mei.ear()
            for number in 0..<5 { try await mei.save("r\(number)") }
            let wire = try Wire(port: port)
            try await wire.send(String(repeating: Self.head(ear), count: 5))
            for number in 0..<5 {
                let answer = try await wire.readAnswer()
                #expect(answer.body.contains(#""rid":"r\#(number)""#))
            }
        }
    }

    /// Neither the time that requests may take to arrive nor that of idle connections counts for who waits.
    @Test("A waiting poll is not closed as idle") func waitingPoll() async throws {
        try await run(configure: {
            $0.requestTime = .seconds(3)
            $0.idleTime = .seconds(3)
            $0.push.courierHold = .seconds(5)
        }) { mei, port in
            let ear = try await mei.ear()
            let wire = try Wire(port: port)
            try await wire.send(Self.head(ear))
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200"))
            #expect(answer.body.isEmpty)
        }
    }

    @Test("Two changes reach each of many waiting polls once and in order") func changesForAll() async throws {
        try await run { mei, port in
            let ears = try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        let person = try await mei.server.signIn("p\(number)@example.com")
                        try await person.watchNotes(in: "public", saving: "p\(number)")
                        return try await person.ear()
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Each has saved a note, of which those who watched already were told.
            try await mei.save(in: "public", "first")
            for ear in ears { while try await ear.news() != "notes first" {} }
            let wires = try ears.map { _ in try Wire(port: port) }
            for name in ["a", "b"] {
                for (ear, wire) in zip(ears, wires) { try await wire.send(Self.head(ear)) }
                try await mei.save(in: "public", name)
                for wire in wires {
                    let answer = try await wire.readAnswer()
                    #expect(answer.body.contains(#""rid":"\#(name)""#), "\(answer.body)")
                }
            }
        }
    }

    @Test("Of 300 connections that poll with one token, one keeps waiting") func manyConnections() async throws {
        try await run(configure: { $0.push.courierHold = .seconds(60) }) { mei, port in
            let ear = try await mei.ear()
            let wires = try (0..<300).map { _ in try Wire(port: port) }
            for wire in wires { try await wire.send(Self.head(ear)) }
            try await withThrowingTaskGroup { group in
                for wire in wires { group.addTask { try await wire.readAnswer().body } }
                for _ in 1..<wires.count { #expect(try await group.next() == "") }
                try await mei.save("a")
                #expect(try await group.next()?.contains(#""rid":"a""#) == true)
            }
        }
    }
}
