import Testing

@testable import CloudServer

struct LoggedPathTests {
    @Test(arguments: [
        "/uploads/secret": "/uploads/…", "/share/secret": "/share/…", "/share/secret/zip": "/share/…",
        "/share/1/c/production/links/secret": "/share/…", "/health": "/health", "/sharecropper": "/sharecropper",
    ])
    func whatOpensSomethingIsNotLogged(path: String, logged: String) {
        #expect(Responder.logged(path[...]) == logged)
    }
}
