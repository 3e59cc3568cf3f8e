import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// Colors that hold the places of pictures.
@Suite(.timeLimit(.minutes(5)))
struct TileColorTests {
    private static func tiles(_ page: Answer) -> [String?] {
        page.text.matches(of: #/<a class="photo( c[0-9a-f]{2})?" id/#).map { $0.output.1.map(String.init) }
    }

    @Test("A tile has its picture's color once the tile has been made, in the page and in windows") func color()
        async throws
    {
        try await TripFixture.run(configure: { $0.preparesPreviews = true }) { trip in
            // The server makes them without being asked.
            let page = try await answer {
                try await trip.server.send(.get, trip.path)
            } until: {
                !Self.tiles($0).contains(nil)
            }
            #expect(Self.tiles(page) == [" c25", " c25", " c24"])
            let window = try await trip.server.send(.get, "\(trip.path)/items")
            #expect(window["colors"]?.array == [0x25, 0x25, 0x24].map { .integer($0) }, "\(window.text)")
        }
    }

    @Test("The style sheet has a rule for each color, and no page has inline styles") func rules() async throws {
        try await TripFixture.run { trip in
            let page = try await trip.server.send(.get, trip.path)
            #expect(!page.text.contains("style="))
            let sheet = try #require(page.text.firstMatch(of: #/href="([^"]*share\.css)"/#)?.output.1)
            let css = try await trip.server.send(.get, String(sheet)).text
            let digits: [Character] = ["2", "6", "a", "d"]
            for red in 0..<4 {
                for green in 0..<4 {
                    for blue in 0..<4 {
                        let color = PictureColor(red: UInt8(red << 6), green: UInt8(green << 6), blue: UInt8(blue << 6))
                        #expect(css.contains(".\(color.name){--color:#\(digits[red])\(digits[green])\(digits[blue])}"))
                    }
                }
            }
        }
    }
}
