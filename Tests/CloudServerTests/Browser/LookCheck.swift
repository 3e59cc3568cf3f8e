import CloudModel
import TestBrowser
import Testing

/// One page in one language, loaded once and looked at in every way that it can be shown.
struct LookCheck {
    let look: Look
    let page: BrowserPage
    let origin: String
    let tag: String

    /// - Parameters:
    ///   - isWide: true to hold all rules at the wide size; false for the narrow one.
    ///   - isFirst: false if another language shows the colors of the dark theme, and the page without scripts.
    func run(isWide: Bool, isFirst: Bool) async throws {
        try await resize(320, dark: false)
        try await look.show(on: page, at: origin)
        #expect(try await page.text(of: "document.documentElement.lang") == tag, "\(look.name)")
        for width in [320, 360, 1280] {
            try await resize(width, dark: false)
            try await layout("\(width)")
            if width > 320 { try await pictures(width) }
        }
        let words = isFirst && look.action.isEmpty ? try await page.words() : nil
        try await rules(isWide: isWide, isFirst: isFirst)
        try await letters()
        try await keys()
        guard let words else { return }
        let missing = try await page.withoutScripts(words, look, at: origin)
        #expect(missing == [], "\(look.name)")
    }

    private func resize(_ width: Int, dark: Bool) async throws {
        try await page.resize(width: width, height: width < 1000 ? 740 : 800, dark: dark, reducedMotion: true)
        try await page.evaluate(Look.painting)
    }

    /// Themes do not move anything: the dark one is shown for its picture alone.
    private func pictures(_ width: Int) async throws {
        guard BrowserPage.keepsScreenshots else { return }
        for dark in [true, false] {
            try await resize(width, dark: dark)
            try await picture("\(width)-\(dark ? "dark" : "light")")
        }
    }

    /// Of more than the window, Chromium would move a picture to the side on pages from right to left, and have small letters.
    private func picture(_ variant: String) async throws {
        let isWhole = tag != "ar" && !variant.hasSuffix("letters")
        try await page.screenshot("look-\(look.name)-\(tag)-\(variant)", whole: isWhole)
    }

    /// Everything has its place: nothing scrolls sideways, is cut, or is too small for a finger.
    private func layout(_ place: String) async throws {
        let found = try await page.evaluate(Layout.all)
        #expect(found == .array([]), "\(look.name) \(tag) \(place)")
    }

    /// The rules of accessibility, and at the other width those of colors in the dark theme. Folded parts count.
    private func rules(isWide: Bool, isFirst: Bool) async throws {
        try await page.evaluate(Look.unfold)
        for (width, isWhole) in [(1280, isWide), (360, !isWide)] {
            try await resize(width, dark: !isWhole)
            try await layout("\(width) unfolded")
            guard isWhole || isFirst else { continue }
            let violations = try await page.violations(colorsOnly: !isWhole, beside: Self.repetitive)
            #expect(violations == [], "\(look.name) \(tag) \(width) \(isWhole ? "light" : "dark")")
        }
    }

    /// Tiles from the sixteenth on, which repeat earlier tiles.
    private static let repetitive = ".tile:nth-of-type(n + 16)"

    /// Letters twice as large (WCAG 2.2, 1.4.4).
    private func letters() async throws {
        try await size(of: 32)
        #expect(try await page.text(of: "getComputedStyle(document.documentElement).fontSize") == "32px")
        for width in [360, 1280] {
            try await resize(width, dark: false)
            let found = try await page.evaluate(Layout.large)
            #expect(found == .array([]), "\(look.name) \(tag) \(width), large letters")
            try await picture("\(width)-letters")
        }
        try await size(of: 16)
    }

    private func size(of letters: Int64) async throws {
        let sizes = JSONObject([
            .init(key: "standard", value: .integer(letters)), .init(key: "fixed", value: .integer(letters * 13 / 16)),
        ])
        try await page.send("Page.setFontSizes", ["fontSizes": .object(sizes)])
    }

    /// Tab reaches every control, and each shows that it is reached.
    private func keys() async throws {
        try await page.evaluate(Keys.listen)
        let count = try #require(try await page.evaluate(Keys.presses).integer)
        for _ in 0..<count { try await page.press("Tab") }
        let missed = try await page.evaluate(Keys.missed)
        #expect(missed == .array([]), "\(look.name) \(tag)")
    }
}

/// Scripts that tell what has no room; an empty list if everything has.
enum Layout {
    /// Names the elements with boxes or words outside of the window.
    static let sideways = """
        (() => {
            const { clientWidth, scrollWidth } = document.documentElement;
            if (scrollWidth === clientWidth) return [];
            const range = document.createRange();
            const wide = [...document.body.querySelectorAll('*')].filter(element => {
                range.selectNodeContents(element);
                return [element.getBoundingClientRect(), ...range.getClientRects()]
                    .some(({ left, right }) => right > clientWidth + 1 || left < -1);
            });
            const names = wide.map(element => element.outerHTML.slice(0, 80));
            return [`scrolls sideways by ${scrollWidth - clientWidth}: ${names.slice(-8).join(', ')}`];
        })()
        """

    /// What is too small for a finger.
    static let small = """
        [...document.querySelectorAll(
            "button, input:not([type=hidden]):not([type=checkbox]), select, summary, .button, .check, .pick, footer a"
        )].filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => `small: ${e.outerHTML}`)
        """

    private static let outside = """
        (({left, right}) => left >= 0 && right <= innerWidth)(document.querySelector('main').getBoundingClientRect())
            ? [] : ['main is not inside the window']
        """

    /// Words that are wider or higher than their button, heading or label.
    private static let cut = """
        [...document.querySelectorAll('button, .button, summary, label, option, h1, h2, legend, th, dt')].filter(element =>
            element.checkVisibility() && !element.closest('.unseen') && getComputedStyle(element).display !== 'inline'
            && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 3)
        ).map(element => `cut: ${element.outerHTML}`)
        """

    /// Texts that their box cuts.
    private static let clipped = """
        [...document.querySelectorAll('button, .button, summary, label, h1, h2, h3, dt, dd, p')]
            .filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1
                && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
                && getComputedStyle(e).overflow !== 'visible')
            .map(e => `clipped: ${e.outerHTML.slice(0, 200)}`)
        """

    static let fits = "[\(sideways), \(small)].flat()"
    static let all = "[\(sideways), \(small), \(outside), \(cut)].flat()"
    static let large = "[\(sideways), \(clipped)].flat()"
}

/// Scripts that follow the focus.
private enum Keys {
    /// Records focused controls, and focused controls without a visible outline.
    static let listen = """
        {
            const controls = 'a[href], button, input, select, textarea, summary, video[controls], audio[controls], [tabindex="0"]';
            const frame = document.querySelector('.pswp--open') ?? document;
            const groups = new Set();
            window.wanted = [...frame.querySelectorAll(controls)].filter(element => {
                if (!element.checkVisibility({ visibilityProperty: true }) || element.disabled || element.tabIndex < 0) return false;
                if (element.type === 'hidden' || element.closest('[inert]')) return false;
                if (element.type !== 'radio') return true;
                return !groups.has(element.name) && groups.add(element.name);
            });
            window.reached = new Set();
            window.unshown = [];
            const shows = style => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
            addEventListener('focusin', ({ target }) => {
                reached.add(target.type === 'radio' ? target.name : target);
                if (![target, ...target.children].some(element => shows(getComputedStyle(element)))
                    && wanted.includes(target)) unshown.push(target);
            });
        }
        """

    /// A player has a handful of controls of its own. The way around begins wherever the focus is.
    static let presses = "wanted.length + 3 + 8 * document.querySelectorAll('video[controls], audio[controls]').length"

    static let missed = """
        [...wanted.filter(element => !reached.has(element.type === 'radio' ? element.name : element)
            // A grid lets arrows reach all of its pictures but one.
            && element.isConnected && element.tabIndex >= 0)
            .map(element => `not reached: ${element.outerHTML.slice(0, 300)}`),
         ...unshown.map(element => `shows no focus: ${element.outerHTML.slice(0, 300)}`)]
        """
}
