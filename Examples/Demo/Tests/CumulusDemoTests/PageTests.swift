import Testing

@testable import CumulusDemo

struct PageTests {
    private let link: Link

    init() throws { link = try Link("http://127.0.0.1:8080/share/0AB#Two-words", "") }

    @Test
    func aLinkIsAskedForWithoutItsTitle() {
        #expect(link.id == "0AB")
        #expect(link.path == "/share/0AB")
    }

    @Test
    func filesAreFoundOnceAndInTheOrderOfThePage() {
        let page = Page(
            link: link, status: 200,
            html: """
                <a href="/share/0AB/preview/large/b.f.0" data-download="/share/0AB/download/b.f.0">
                <img src="/share/0AB/preview/tile/b.f.0" srcset="/share/0AB/preview/tile/b.f.0 400w">
                <a class="button" href="/share/0AB/download/a.f.0" download>…</a>
                <a href="/share/0AB/download/b.f.0">again</a>
                <a href="/share/other/download/c.f.0">of another page</a>
                """)
        #expect(page.downloads == ["/share/0AB/download/b.f.0", "/share/0AB/download/a.f.0"])
        #expect(page.tiles == ["/share/0AB/preview/tile/b.f.0"])
    }
}
