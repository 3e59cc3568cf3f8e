import CLinux
package import Foundation

/// A program that reads files of strangers, with no rights but those that reading takes.
///
/// It reads its standard input and the system's libraries, and writes its standard output. docs/decisions/confinement.md has
/// the reasons.
package struct ConfinedProgram: Sendable {
    /// How a program ended.
    package enum End: Hashable, Sendable, CustomStringConvertible {
        case exited(Int32)
        /// By a signal, which also ends a program past its memory, processor time or bytes of output.
        case killed(Int32)
        /// Killed because of its time.
        case tookTooLong
        /// Killed because of its number of threads.
        case hadTooManyThreads
        /// The system refused to start it, with an error number.
        case didNotStart(Int32)

        package var description: String {
            switch self {
            case .exited(let status): "ended with \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            case .tookTooLong: "took too long"
            case .hadTooManyThreads: "had too many threads"
            case .didNotStart(let error): "cannot be started: \(String(cString: strerror(error)))"
            }
        }

        fileprivate init(_ code: Int32) {
            self =
                switch code {
                case Int32(CLINUX_LATE): .tookTooLong
                case Int32(CLINUX_CROWDED): .hadTooManyThreads
                case ...Int32(CLINUX_NOT_STARTED): .didNotStart(Int32(CLINUX_NOT_STARTED) - code)
                case ..<0: .killed(-code)
                default: .exited(code)
                }
        }
    }

    /// What a program may use.
    package struct Bounds: Sendable {
        /// Seconds until it is killed, and seconds of processor time, of which a busy machine gives fewer.
        package var (seconds, processorSeconds): (Int32, Int32) = (60, 20)
        /// Bytes of address space.
        package var memory: Int64 = 768 << 20
        /// Bytes of its output.
        package var output: Int64 = 64 << 20
        /// Threads, of which decoders start one for each processor.
        package var threads: Int32 = 512

        package init() {}
    }

    /// The path of the program's file.
    package let path: String
    package var arguments: [String] = []
    package var environment: [String: String] = [:]
    package var bounds = Bounds()
    /// Whether it may open its standard input anew, as `/proc/self/fd/0`, where it needs positions of its own.
    var opensInput = false
    /// How far it gives way to this process, from 0 to 19.
    var niceness: Int32 = 0
    /// Tests leave Landlock out, as kernels without it do.
    var usesLandlock = true

    package init(path: String) { self.path = path }

    /// The same program for a result that nobody waits for, with lower priority and twice the time.
    var ahead: ConfinedProgram {
        var program = self
        (program.niceness, program.bounds.seconds) = (10, bounds.seconds * 2)
        return program
    }

    /// The niceness of a program that gives way to a process of niceness `own`.
    static func niceness(_ more: Int32, above own: Int32) -> Int32 { min(19, own + more) }

    private static var ownNiceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    /// Whether this process and those that it starts may compile code into their memory.
    static let mayMakeCode: Bool = {
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let page, page != MAP_FAILED else { return false }
        munmap(page, 4096)
        return true
    }()

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - input: a file to read, which the program gets as its standard input.
    ///   - output: a file to write, as its standard output.
    package func run(input: FileHandle, output: FileHandle) async -> End {
        await withCheckedContinuation { continuation in
            // A thread of its own, since waiting blocks; the program ends with it.
            Thread.detachNewThread { continuation.resume(returning: self.runBlocking(input: input, output: output)) }
        }
    }

    private func runBlocking(input: FileHandle, output: FileHandle) -> End {
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        return path.withCString { path in
            words.withUnsafeBufferPointer { words in
                variables.withUnsafeBufferPointer { variables in
                    var program = clinux_program()
                    (program.path, program.arguments, program.environment) =
                        (path, words.baseAddress, variables.baseAddress)
                    (program.input, program.output) = (input.fileDescriptor, output.fileDescriptor)
                    (program.uses_landlock, program.opens_input) = (usesLandlock ? 1 : 0, opensInput ? 1 : 0)
                    (program.seconds, program.processor_seconds) = (bounds.seconds, bounds.processorSeconds)
                    (program.memory, program.file_bytes) = (bounds.memory, bounds.output)
                    (program.threads, program.niceness) = (
                        bounds.threads, Self.niceness(niceness, above: Self.ownNiceness)
                    )
                    return End(clinux_run(&program))
                }
            }
        }
    }
}
