@testable import CloudWire
import CloudModel
import Testing

@testable import CloudStore

/// The `id` of events.
struct EventPlaceTests {
    @Test("An event position is read back as it was written") func roundTrip() {
        var place = EventPosition()
        #expect(EventPosition(place.text) == place)
        for (container, environment, id) in [
            (Int64(1), ContainerEnvironment.development, Int64(7)), (1, .production, 300), (70000, .development, .max),
        ] {
            let message = QueuedNotification(
                id: id, revision: id - 1, created: Timestamp(milliseconds: 0), isDelivered: false,
                isPruned: id == 300, body: [])
            place.reach(message, from: EventPosition.Source(container: container, environment: environment))
            #expect(EventPosition(place.text) == place)
            #expect(place.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        }
    }

    @Test(
        "A malformed event id has no position",
        arguments: ["", " ", "7", "AQ==x", "Ag", "AQAA", "\u{0}", "AQAAAAAAAAAAAQAAAAAAAAA", "🙂"])
    func otherTexts(text: String) {
        #expect(EventPosition(text) == nil)
    }
}
