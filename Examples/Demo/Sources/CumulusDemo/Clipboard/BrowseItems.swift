/// What a browser that nobody is signed in with shows of Anna's links.
struct BrowseItems {
    let photo: Photo
    let links: ShareItems.Links
    let stage: Stage

    func play() async throws {
        stage.want("Somebody without an account opens the web link …")
        let bookmark = try await stage.server.open(links.bookmark)
        try stage.check("there is a page", bookmark.status, is: 200)
        try stage.check("it leads on", bookmark.html.contains("href=\"\(ShareItems.address)\""), is: true)

        stage.want("… and the picture, and saves it.")
        let picture = try await stage.server.open(links.picture)
        try stage.check("it has a tile", picture.tiles.count, is: 1)
        try stage.check(
            "and is what Anna copied", try await stage.server.files(of: picture) == [photo.bytes], is: true)

        stage.want("The packing list is for Ben alone.")
        let note = try await stage.server.open(links.note)
        try stage.check("strangers are asked who they are", note.status, is: 403)
        try stage.check("and told nothing of it", note.html.contains("Passport"), is: false)
    }
}
