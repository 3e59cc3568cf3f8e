package import CloudModel
package import Logging

/// Creates a record for each answered request and passes it to log, counters and files.
package struct RequestRecorder: Sendable {
    /// The latest requests.
    package let log: RequestLog
    package let indexUsage = IndexUsage()
    private let isOn: Bool
    private let isForDevelopment: Bool
    private let count: (@Sendable (RequestRecord) -> Void)?
    private let lines: RequestLineWriter
    private let files: RequestFiles?
    private let now: Now

    /// - Parameter count: receives every record, even if recording is off; nil for none.
    /// - Throws: errors of creating the records folder.
    package init(
        _ settings: RequestSettings, dev: Bool, folder: String, count: (@Sendable (RequestRecord) -> Void)?,
        logger: Logger, now: @escaping Now
    ) throws {
        self.count = count
        isOn = settings.areRecorded
        isForDevelopment = dev
        log = RequestLog(most: settings.count, bytes: settings.bytes)
        lines = RequestLineWriter(settings, dev: dev, logger: logger, now: now)
        files =
            settings.areRecorded && settings.fileDays > 0
            ? try RequestFiles(folder: folder, settings, logger: logger, now: now) : nil
        self.now = now
    }

    /// Writes queued records to their file.
    package func flush() { files?.flush() }

    package func note(
        _ trace: RequestTrace, _ request: HTTPRequest, _ match: RouteMatch?, address: String?,
        status: HTTPResponse.Status, bytesOut: Int?
    ) {
        guard isOn || count != nil else { return }
        let record = RequestRecord(
            trace, time: now(), request, match, address: address, status: status.code, bytesOut: bytesOut,
            hasValues: isForDevelopment)
        count?(record)
        guard isOn else { return }
        // Requests that read the log, and page refreshes, would fill the log with themselves.
        let follows = match?.info.isOfRecords == true || request.headerFields.isLive && record.isOfLivePage
        if follows, !record.isRefused { return }
        log.add(record)
        if record.isAboutMarks { indexUsage.note(record) }
        lines.write(record)
        files?.write(record)
    }
}
