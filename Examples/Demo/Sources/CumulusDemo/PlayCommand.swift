import ArgumentParser

/// The whole play.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play everything, and print the links to open in a browser.")

    @OptionGroup var server: ServerOptions

    @Option(help: "The airports to publish, as CSV.")
    var airports = "Samples/airports.csv"

    @Option(help: "A folder of JPEG pictures to share.")
    var photos = "Samples/photos"

    @Option(help: "An API token for production of the family's container. Without it production is not played.")
    var familyProductionToken: String?

    func run() async throws {
        let airports = try AirportFile.read(airports)
        let photos = try Photo.read(folder: photos)
        try await server.perform { server, console in
            try await Play(
                server: server, familyProductionToken: familyProductionToken, airports: airports, photos: photos,
                console: console
            ).perform()
        }
    }
}
