import CloudAccounts
import TestCloud
import Foundation
import Testing

/// Pages of every kind behind links, to be looked at.
struct SharePageLooks {
    private static let all = ["temple", "coffee", "flower", "rocket", "cat", "astronaut", "moon", "hubble"]
    private static let long =
        "Grandmother’s eightieth birthday in the mountains above Innsbruck with Aunt Theodora, "
        + "Donaudampfschifffahrtsgesellschaftskapitänswitwe Müller and everyone else"

    private static let longAddress = "kapitaenswitwe-mueller@a-very-long-domain-name-of-a-provider-of-mail.example.com"

    /// The fourteen kinds of pages that a link opens, and what is opened or unfolded on them.
    private static let kinds: Set<String> = [
        "gallery", "one", "videos", "live", "days", "long-grid", "text", "link", "file", "records", "empty", "password",
        "invitation", "expired", "viewer", "viewer-video", "choosing", "owner-settings", "offer",
    ]

    let trip: TripFixture

    func prepare() async throws -> [Look] {
        _ = try await trip.server.signIn("ben@example.com", TripFixture.container)
        _ = try await trip.server.signIn("eve@example.com", TripFixture.container)
        _ = try await trip.server.accounts.users.create(
            email: Self.longAddress, givenName: "Donaudampfschifffahrtsgesellschaftskapitänswitwe")
        let albums = try await AlbumLooks(trip: trip).prepare()
        return try await (trips() + clips() + family() + albums).withKinds(Self.kinds)
    }

    private func trips() async throws -> [Look] {
        try await trip.publish("gallery", title: "Lisbon", photos: Self.all)
        try await trip.publish("long", title: Self.long, photos: Array(Self.all.prefix(5)))
        try await trip.publish("one", title: "A single evening", photos: ["temple"])
        try await trip.publish("rtl", title: "رحلة إلى لشبونة", photos: Array(Self.all.prefix(6)))
        try await trip.publish("empty", title: "Nothing yet", photos: [])
        for (id, body) in [
            ("password", #"{"password": "fado"}"#), ("expired", #"{"expiresAt": 1000}"#),
            ("gone", #"{"takenDown": true}"#),
            ("some", #"{"items": ["some_0", "some_1"], "expiresAt": 4000000000000}"#),
        ] {
            try await trip.publish(id, title: "Lisbon", photos: Array(Self.all.prefix(4)))
            _ = try await trip.settle(body, id: id)
        }
        let unfold = "document.querySelector('.settings').open = true"
        return [
            Look(name: "gallery", path: "/share/gallery"),
            Look(
                name: "viewer", path: "/share/gallery", action: "document.querySelector('.photo').click()",
                signal: "document.querySelector('.pswp--open .pswp__img:not(.pswp__img--placeholder)')?.complete"),
            Look(
                name: "viewer-about", path: "/share/gallery", action: "document.querySelector('.photo').click()",
                signal: Self.about),
            Look(
                name: "choosing", path: "/share/gallery",
                action: "for (const e of document.querySelectorAll('#choose, .tile:nth-child(3n) .photo')) e.click()"),
            Look(name: "few", path: trip.path), Look(name: "one", path: "/share/one"),
            Look(name: "long", path: "/share/long"), Look(name: "rtl", path: "/share/rtl"),
            Look(name: "long-name", path: "/share/gallery", person: Self.longAddress),
            Look(name: "empty", path: "/share/empty"), Look(name: "password", path: "/share/password"),
            Look(name: "expired", path: "/share/expired"), Look(name: "gone", path: "/share/gone"),
            Look(name: "missing", path: "/share/none"),
            Look(name: "owner", path: "/share/gallery", person: "mei@example.com"),
            Look(name: "owner-settings", path: "/share/some", person: "mei@example.com", action: unfold),
            Look(name: "owner-gone", path: "/share/gone", person: "mei@example.com", action: unfold),
        ]
    }

    /// Presses the viewer's button once it is there, and waits for its lines.
    private static let about = """
        (() => {
            if (!document.querySelector('.pswp__about')) document.querySelector('.pswp__button--about')?.click();
            return document.querySelector('.pswp__about dd');
        })()
        """

    private func clips() async throws -> [Look] {
        let app = trip.sender
        try await app.makeZone("clips")
        let picture = try await trip.upload(
            try TripFixture.photo("coffee"), "picture", "ClipItem", "asset", in: "private", zone: "clips", app)
        let file = try await trip.upload(
            .init("%PDF-1.4\n".utf8), "file", "ClipItem", "asset", in: "private", zone: "clips", app)
        var paths: [String: String] = [:]
        for (name, field) in [
            ("text", #""text": {"value": "Passport\nSun cream\nA good book"}"#),
            ("link", #""url": {"value": "https://example.com/tides/lisbon-and-cascais?unit=metres"}"#),
            ("picture", #""asset": {"value": \#(picture)}"#), ("file", #""asset": {"value": \#(file)}"#),
        ] {
            let fields = #"\#(field), "type": {"value": "\#(name)"}"#
            try await app.save(zone: "clips", name, type: "ClipItem", fields: fields)
            paths[name] = try await "/share/" + app.share(name, in: "clips", permission: "READ_ONLY")
        }
        let joined = paths["text"] ?? ""
        return paths.map { Look(name: $0.key, path: $0.value) } + [
            Look(name: "offer", path: joined, person: "eve@example.com")
        ]
    }

    private func family() async throws -> [Look] {
        let app = trip.sender
        try await app.makeZone("Family")
        try await app.save(zone: "Family", "mia", type: "Grandchild", fields: #""name": {"value": "Mia"}"#)
        let photo = try await trip.upload(
            try TripFixture.photo("flower"), "beach", "Memory", "photo", in: "private", zone: "Family", app)
        for (name, fields) in [
            ("beach", #""photo": {"value": \#(photo)}"#),
            ("word", #""title": {"value": "First word"}, "notes": {"value": "Everybody laughed for a long time."}"#),
            ("step", #""title": {"value": "First step"}, "height": {"value": 71.5, "type": "DOUBLE"}"#),
        ] {
            _ = try await app.modify(
                zone: "Family",
                [
                    Operation.write(
                        "create", name, type: "Memory", fields: fields, extra: #", "parent": {"recordName": "mia"}"#)
                ])
        }
        let guid = try await app.share(
            "mia", in: "Family", participants: [Sharing.entry(email: "ben@example.com")],
            more: #", "denyAccessRequests": false"#)
        return [
            Look(name: "sign-in-needed", path: "/share/\(guid)"),
            Look(name: "invitation", path: "/share/\(guid)", person: "ben@example.com"),
            Look(name: "may-ask", path: "/share/\(guid)", person: "eve@example.com"),
            Look(name: "records", path: "/share/\(guid)", person: "mei@example.com"),
        ]
    }
}
