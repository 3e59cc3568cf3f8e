package import CloudModel

extension BrowserPage {
    private static let watch = """
        {
            const shifts = [];
            const add = entries => shifts.push(...entries.map(entry => [
                entry.value, ...entry.sources.map(source => source.node?.className || source.node?.nodeName || ''),
            ].join(' ')));
            const observer = new PerformanceObserver(list => add(list.getEntries()));
            observer.observe({ type: 'layout-shift', buffered: true });
            window.layoutShifts = () => { add(observer.takeRecords()); return shifts; };
        }
        """

    /// Has pages that are opened from now on collect their layout shifts.
    package func watchShifts() async throws {
        try await send("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
    }

    /// The layout shifts of the page, each with its score and the elements that moved.
    package var shifts: [JSONValue]? { get async throws { try await evaluate("layoutShifts()").array } }
}
