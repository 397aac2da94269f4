internal import Glibc
public import Workspace

extension TraceStore {
    /// Imports files, folders (with all folders inside) and standard input (`-`).
    ///
    /// A file and its companions are kept whole or not at all, whatever happens, kill -9 included. A file of which
    /// every byte is known changes nothing; one that has grown is read again as a whole, its spans keep their ordinals,
    /// and only what is new is added; another file with spans of a known trace adds to that trace. A run that had been
    /// deleted comes back when its file is imported again. Files of a folder that cannot be read or are no traces are
    /// counted and passed over; a file that was named must be readable and of a known format.
    ///
    /// Memory: about 60 MB, and what the traces of one file take (roughly 1 KB a span); with more than 50,000 runs up to
    /// 100 MB more for indexes. Files are committed together until they are 256 MB or have taken three seconds, so that
    /// the disk is waited for seldom.
    ///
    /// - Parameters:
    ///   - job: gets the bytes that are on the disk, and ends the import when it is cancelled.
    ///   - cancellation: ends the import at once; files done by then are kept, and the report says that it was ended.
    ///   - progress: called on this thread, at most ten times a second.
    /// - Throws: `ImportError` for the first file that cannot be imported (earlier files are kept), `WorkspaceError`.
    @discardableResult
    public func importTraces(
        _ paths: [String], options: ImportOptions = ImportOptions(), job: JobHandle? = nil,
        cancellation: Cancellation? = nil, progress: (ImportProgress) -> Void = { _ in }
    ) throws -> ImportReport {
        let isCancelled = { job?.isCancelled ?? false || cancellation?.isCancelled ?? false }
        return try withoutActuallyEscaping(progress) { progress in
            let session = try ImportSession(
                plan: ImportPlan(paths, options: options, isCancelled: isCancelled), options: options, job: job,
                isCancelled: isCancelled, progress: progress)
            return try session.run(in: workspace)
        }
    }
}

/// How many processors this process may use: less than the machine has, under `taskset` or in a container.
func usableProcessors() -> Int {
    // sched_getaffinity(2) is a GNU extension, which Swift does not see; the kernel says the same as hexadecimal text.
    let name = "Cpus_allowed:\t"
    guard let file = fopen("/proc/self/status", "re") else { return 1 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4_096)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix(name) else { continue }
        return max(1, text.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount })
    }
    return 1
}

/// Seconds of a clock that only moves forward.
func monotonicSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
