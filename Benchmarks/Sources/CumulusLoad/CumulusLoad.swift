import ArgumentParser

/// What wrk cannot do: sign in, seed, follow a feed page by page, and time single requests.
@main
struct CumulusLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus-load", abstract: "Seeds a development server and measures it over HTTP.",
        subcommands: [
            Wait.self, SignIn.self, Seed.self, Post.self, Feed.self, SeedPocketBase.self,
            ShareZone.self, SeedPhotos.self, Upload.self, AssetLink.self, Subscribe.self, Wake.self,
            WakePocketBase.self, WakeBare.self,
        ])
}

/// Where the server is and whose data is asked for.
struct Target: ParsableArguments {
    @Option(help: "Where the server listens.")
    var origin: String

    @Option(help: "The container to use.")
    var container = "iCloud.org.example.bench"

    @Option(help: "The user to be.")
    var email = "bench@example.com"
}
