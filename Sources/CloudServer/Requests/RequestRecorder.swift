package import CloudModel
package import Logging

/// Makes a record of each request when its answer is made, and tells those who read records.
package struct RequestRecorder: Sendable {
    /// The last requests.
    package let log: RequestLog
    package let indexUsage = IndexUsage()
    private let isOn: Bool
    private let isForDevelopment: Bool
    private let count: (@Sendable (RequestRecord) -> Void)?
    private let lines: RequestLineWriter
    private let files: RequestFiles?
    private let now: Now

    /// - Parameter count: hears of every record, those too that are not remembered; nil when nobody counts.
    /// - Throws: what keeps the folder of records from being made.
    package init(
        _ configuration: ServerConfiguration, folder: String, count: (@Sendable (RequestRecord) -> Void)?,
        logger: Logger, now: @escaping Now
    ) throws {
        let settings = configuration.requests
        self.count = count
        isOn = settings.areRecorded
        isForDevelopment = configuration.dev
        log = RequestLog(most: settings.count, bytes: settings.bytes)
        lines = RequestLineWriter(settings, dev: configuration.dev, logger: logger, now: now)
        files =
            settings.areRecorded && settings.fileDays > 0
            ? try RequestFiles(folder: folder, settings, logger: logger, now: now) : nil
        self.now = now
    }

    /// Writes the records that wait to their file.
    func flush() { files?.flush() }

    func note(
        _ trace: RequestTrace, _ request: HTTPRequest, _ match: Router.Match?, address: String?,
        status: HTTPResponse.Status, bytesOut: Int?
    ) {
        guard isOn || count != nil else { return }
        let record = RequestRecord(
            trace, time: now(), request, match, address: address, status: status.code, bytesOut: bytesOut,
            hasValues: isForDevelopment)
        count?(record)
        guard isOn else { return }
        // Whoever follows the log would read of nothing but that.
        let follows = match?.row.isOfRecords == true || request.headerFields.isLive && record.isOfLivePage
        if follows, !record.isRefused { return }
        log.add(record)
        if record.isAboutMarks { indexUsage.note(record) }
        lines.write(record)
        files?.write(record)
    }
}
