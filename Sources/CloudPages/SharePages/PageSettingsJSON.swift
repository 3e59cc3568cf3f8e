import CloudHTTP
import CloudModel
import CloudStore
import Foundation

/// A page's settings for its owner.
struct PageSettingsJSON {
    let page: SharedPage
    let language: PageLanguage
    let now: Timestamp
    let languages: Languages
    /// The link for sharing.
    let url: String

    var view: SharePageView.Settings {
        let link = page.link
        return SharePageView.Settings(
            base: page.path, url: url, state: state, isPublished: isPublished, hasItems: link?.items != nil,
            expiry: link?.expires.map { language.text("expires.on", ["date": .text(language.date($0))]) }
                ?? language.text("expires.never"),
            deletesAfterExpiry: link?.deletesAfterExpiry ?? false, hasPassword: link?.hasPassword ?? false,
            isTakenDown: link?.isTakenDown ?? false, showsPlaces: link?.showsPlaces ?? false, downloads: downloads,
            layouts: layouts, linkLanguages: languageChoices)
    }

    /// The choices of downloads; none if the rule of the page offers no downloads.
    private var downloads: [SharePageView.SettingChoice] {
        guard page.isDownloadable else { return [] }
        return choices(page.link?.downloads ?? .originals) { choice in
            switch choice {
            case .originals: language.text("downloads.originals")
            case .reduced: language.text("downloads.reduced")
            case .nothing: language.text("downloads.none")
            }
        }
    }

    private var layouts: [SharePageView.SettingChoice] {
        choices(page.link?.layout ?? .automatic) { choice in
            switch choice {
            case .automatic: language.text("layout.automatic")
            case .days: language.text("layout.days")
            case .stream: language.text("layout.stream")
            }
        }
    }

    private func choices<Choice: CaseIterable & RawRepresentable<String>>(
        _ chosen: Choice, _ text: (Choice) -> String
    ) -> [SharePageView.SettingChoice] {
        Choice.allCases.map {
            SharePageView.SettingChoice(
                value: $0.rawValue, text: text($0), isChosen: $0.rawValue == chosen.rawValue)
        }
    }

    /// The languages by their own names, and the server's.
    private var languageChoices: [SharePageView.LanguageChoice] {
        let chosen = page.link?.language
        let server = SharePageView.LanguageChoice(
            tag: "", name: language.text("settings.serverLanguage"), isChosen: chosen == nil)
        return [server] + languages.all.map { .init(tag: $0.tag, name: $0.name, isChosen: $0.tag == chosen) }
    }

    private var isPublished: Bool {
        if case .published = page.kind { true } else { false }
    }

    /// A short summary of access and expiry.
    private var state: String {
        guard page.link.map({ $0.isOpen(at: now) }) ?? true else { return language.text("state.nobody") }
        var who = isOpenToAll ? language.text("state.anybody") : language.text("state.invited")
        if page.link?.hasPassword == true { who = language.text("state.password", ["who": .text(who)]) }
        if page.link?.items != nil { who = language.text("state.chosen", ["who": .text(who)]) }
        guard let end = page.link?.expires else { return who }
        return language.text("state.until", ["who": .text(who), "date": .text(language.date(end))])
    }

    private var isOpenToAll: Bool {
        switch page.kind {
        case .published: true
        case .shared(let tree): tree.isForAnybody
        }
    }

    /// Explains why other visitors cannot see the page; nil if they can.
    var notice: String? {
        guard let link = page.link else { return nil }
        if link.isTakenDown { return language.text("notice.takenDown") }
        if link.hasExpired(at: now) { return language.text("notice.expired") }
        return nil
    }

    /// `POST /share/{id}/settings`: the form on the owner's page.
    static let endpoint: PageEndpoint = { call in
        try call.requireOwnOrigin()
        let page = try await PageGate(call: call).openPart(call.parameters[0])
        guard page.visitor.isOwner else { throw SharePageRefusal.notFound }
        var link = page.link ?? PageSettings(id: page.settingsID, owner: page.owner)
        try await apply(call.form, to: &link, page, call)
        try await page.store.pageSettings.save(link)
        return .seeOther(page.path)
    }

    private static func apply(
        _ form: FormFields, to link: inout PageSettings, _ page: SharedPage, _ call: PageCall
    ) async throws {
        if let choice = form["choose"] {
            link.items = choice == "all" ? nil : try await chosen(form.all("i"), page, call)
        } else if let takenDown = form["takenDown"] {
            link.isTakenDown = takenDown == "yes"
        } else {
            if let expires = form["expires"], expires != "keep" {
                link.expires = expiry(expires, now: call.site.time)
            }
            link.deletesAfterExpiry = form["deleteAfterExpiry"] == "yes" && link.expires != nil
            link.showsPlaces = form["places"] == "yes"
            if let tag = form["language"], tag.isEmpty || call.site.languages.named(tag) != nil {
                link.language = tag.isEmpty ? nil : call.site.languages.named(tag)?.tag
            }
            if let layout = form["layout"].flatMap(PageLayout.init(rawValue:)) { link.layout = layout }
            if let downloads = form["downloads"].flatMap(PageDownloads.init(rawValue:)) { link.downloads = downloads }
            if form["noPassword"] == "yes" {
                try await call.site.accounts.pagePasswords.set(nil, of: &link)
            } else if let password = form["password"], !password.isEmpty {
                try await call.site.accounts.pagePasswords.set(password, of: &link)
            }
        }
    }

    private static func expiry(_ days: String, now: Timestamp) -> Timestamp? {
        guard let days = Int(days), (1...3650).contains(days) else { return nil }
        return now + .seconds(days * 86400)
    }

    /// Record names of the ticked files.
    private static func chosen(_ marks: [String], _ page: SharedPage, _ call: PageCall) async throws -> [String] {
        let marks = Set(marks)
        let files = try await page.allFiles(call.language, limits: call.site.limits)
        let stills = LivePairs.find(files)
        let names = files.filter { marks.contains((stills[$0.key] ?? $0).key.mark) }.map(\.key.recordName)
        guard !names.isEmpty else {
            throw PageError(.badRequest, Phrase("choose.nothing"), Phrase("choose.nothing.others"), .input)
        }
        let chosen = Set(names.map(ExactName.init))
        guard chosen.count <= PageSettingsChange.mostItems else {
            throw SharePageRefusal.tooMany(PageSettingsChange.mostItems)
        }
        return chosen.map(\.text).sorted()
    }
}
