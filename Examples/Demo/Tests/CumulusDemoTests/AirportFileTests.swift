import CumulusKit
import Testing

@testable import CumulusDemo

struct AirportFileTests {
    private static let header = "iata,icao,name,city,country,lat,lon,elevation,tz"

    @Test(arguments: ["\n", "\r\n"])
    func readsQuotedFieldsUnderEitherLineEnd(end: String) throws {
        let row = #"USC,K35A,"Union County, Troy Shelton Field",Union,US,34.686949,-81.641164,609.9,America/New_York"#
        let airports = try AirportFile.airports(in: Self.header + end + row + end)
        #expect(airports.map(\.name) == ["Union County, Troy Shelton Field"])
        #expect(airports.map(\.elevation) == [609.9])
        #expect(airports.map(\.timeZone) == ["America/New_York"])
    }

    @Test
    func refusesARowWithoutAPositionAndSaysWhich() {
        #expect {
            try AirportFile.airports(
                in: Self.header + "\nZRH,LSZH,Zurich Airport,Zurich,CH,north,8.5,1416,Europe/Zurich\n")
        } throws: {
            ($0 as? AirportFile.BadRow)?.description == "row 2 of the airports file has no usable lat"
        }
    }

    @Test
    func leavesOutACityNobodyKnows() {
        let airport = Airport(
            iata: "AAA", icao: "AAAA", name: "A", city: "", country: "US", latitude: 1, longitude: 2, elevation: 3,
            timeZone: "UTC")
        #expect(!airport.record.allKeys().contains("city"))
        #expect(airport.record.value(of: "elevation") == .double(3))
    }
}
